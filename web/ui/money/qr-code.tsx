import { generate } from 'lean-qr'
import { useMemo } from 'react'
import parts from './qr-code.module.css'

/** A QR code, always dark on light, since many cameras read nothing else. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => pathOf(text), [text])
  return (
    <svg
      className={parts.picture}
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}

function pathOf(text: string): { size: number; path: string } {
  const picture = generate(text)
  const cells = Array.from({ length: picture.size ** 2 }, (_, at) => [at % picture.size, Math.floor(at / picture.size)])
  const dark = cells.filter(([x = 0, y = 0]) => picture.get(x, y))
  return { size: picture.size, path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') }
}
