import { Counter, Histogram, type Registry } from 'prom-client';

interface Description {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}

type Labels = Record<string, string>;

/** By the values of the labels, in their order. prom-client validates and hashes the labels of each value, which costs more than counting. */
class SeriesByLabels<T extends { readonly labels: Labels }> {
  private readonly series = new Map<string, T>();

  constructor(
    private readonly names: readonly string[],
    private readonly create: (labels: Labels) => T,
  ) {}

  of(values: readonly string[]): T {
    const key = values.join('\n');
    let series = this.series.get(key);
    if (!series) {
      series = this.create(Object.fromEntries(this.names.map((name, index) => [name, values[index] ?? ''])));
      this.series.set(key, series);
    }
    return series;
  }

  all(): readonly T[] {
    return [...this.series.values()];
  }
}

/** A counter that is raised with every request. */
export class FastCounter extends Counter {
  private readonly series;

  constructor(description: Description) {
    super(description);
    this.series = new SeriesByLabels(description.labelNames, (labels) => ({ labels, value: 0 }));
  }

  count(...labels: readonly string[]): void {
    this.series.of(labels).value += 1;
  }

  override async get() {
    return { ...(await super.get()), values: [...this.series.all()] };
  }
}

/** A histogram that gets a value with every request. */
export class FastHistogram extends Histogram {
  private readonly series;

  constructor(
    description: Description,
    private readonly bounds: number[],
  ) {
    super({ ...description, buckets: bounds });
    this.series = new SeriesByLabels(description.labelNames, (labels) => ({
      labels,
      sum: 0,
      /** By bucket, not cumulative. */
      counts: new Uint32Array(bounds.length + 1),
    }));
  }

  record(value: number, ...labels: readonly string[]): void {
    const series = this.series.of(labels);
    const index = this.bounds.findIndex((bound) => value <= bound);
    const bucket = index === -1 ? this.bounds.length : index;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += value;
  }

  override async get() {
    const { name } = this as unknown as Description;
    const values = this.series.all().flatMap(({ labels, counts, sum }) => {
      let count = 0;
      const buckets = [...counts].map((amount, index) => {
        count += amount;
        const le = this.bounds[index] ?? '+Inf';
        return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
    return { ...(await super.get()), values };
  }
}
