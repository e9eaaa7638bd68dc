import parts from './pages/login-page.module.css'

const waves = Array.from({ length: 14 }, (_, index) => index)

/** A decorative picture in the brand's colour, drawn inline. Each wave covers what is behind it. */
export function BrandPicture() {
  return (
    <svg className={parts.picture} viewBox="0 0 800 1000" preserveAspectRatio="xMidYMid slice" aria-hidden>
      <circle cx="545" cy="300" r="92" fill="currentColor" opacity="0.16" />
      {waves.map((index) => {
        const y = 330 + index * 50
        const swell = 96 - index * 5
        const line = `M-40 ${y} C 160 ${y - swell}, 300 ${y + swell * 0.7}, 460 ${y - swell * 0.3} S 720 ${y - swell * 0.85}, 860 ${y - swell * 0.2}`
        return (
          <g key={index}>
            <path d={`${line} V 1040 H -40 Z`} fill="var(--tide)" />
            <path d={line} fill="none" stroke="currentColor" strokeWidth="1.25" opacity={0.5 - index * 0.03} />
          </g>
        )
      })}
    </svg>
  )
}
