import { encode } from 'uqr'

/**
 * A text as a picture for a camera: always dark on white, or cameras miss it, with the quiet zone of four
 * modules that ISO/IEC 18004 asks for. `label` says what it is to the person who doesn't see it.
 */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      className="k-qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#14211d" />
    </svg>
  )
}
