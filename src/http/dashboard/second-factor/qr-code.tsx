import createQrCode from 'qrcode-generator';

/** Modules of the quiet zone (ISO/IEC 18004). */
const MARGIN = 4;
const PIXELS_PER_MODULE = 4;

/** A QR code as inline SVG, dark on light in every color scheme, because scanners expect it. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const code = createQrCode(0, 'M');
  code.addData(text);
  code.make();
  const modules = code.getModuleCount();
  const size = modules + 2 * MARGIN;
  const rows = Array.from({ length: modules }, (_row, y) => pathOfRow(y, modules, (x) => code.isDark(y, x)));
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={size * PIXELS_PER_MODULE}
      height={size * PIXELS_PER_MODULE}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.join('')} fill="#000" />
    </svg>
  );
}

/** One rectangle for each run of dark modules. */
function pathOfRow(y: number, modules: number, isDark: (x: number) => boolean): string {
  let path = '';
  for (let x = 0; x < modules; x += 1) {
    if (!isDark(x)) continue;
    const start = x;
    while (x < modules && isDark(x)) x += 1;
    path += `M${start + MARGIN} ${y + MARGIN}h${x - start}v1h${start - x}z`;
  }
  return path;
}
