import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

export const CONTENT_TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;
export type MetricsFormat = keyof typeof CONTENT_TYPES;

type Metric = MetricObjectWithValues<MetricValue<string> & { readonly metricName?: string }>;

/**
 * All metrics in one of two text formats. prom-client can write both, too, but a registry that has written OpenMetrics once has lost the
 * suffix `_total` of its counters for the other format.
 */
export async function renderMetrics(
  registry: Pick<Registry, 'getMetricsAsJSON'>,
  format: MetricsFormat,
): Promise<string> {
  const metrics = (await registry.getMetricsAsJSON()) as Metric[];
  const lines = metrics.flatMap((metric) => linesOf(metric, format));
  if (format === 'openMetrics') lines.push('# EOF');
  return `${lines.join('\n')}\n`;
}

/** A metric without values is left out. */
function linesOf({ name, help, type, values }: Metric, format: MetricsFormat): string[] {
  if (values.length === 0) return [];
  const family = format === 'openMetrics' ? name.replace(/_total$/, '') : name;
  return [
    `# HELP ${family} ${escaped(help)}`,
    `# TYPE ${family} ${String(type)}`,
    ...values.map(({ metricName = name, labels, value }) => `${metricName}${labelText(labels)} ${numberText(value)}`),
  ];
}

function labelText(labels: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function numberText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
}
