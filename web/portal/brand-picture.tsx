import parts from './login-page.module.css'

const lines = Array.from({ length: 15 }, (_, index) => index)

/** One quiet picture: tide lines in the brand's colour, drawn rather than loaded. */
export function BrandPicture() {
  return (
    <svg className={parts.picture} viewBox="0 0 800 1000" preserveAspectRatio="xMidYMid slice" aria-hidden>
      {lines.map((index) => {
        const y = 300 + index * 46
        const swell = 110 - index * 5
        return (
          <path
            key={index}
            d={`M-40 ${y} C 160 ${y - swell}, 300 ${y + swell * 0.7}, 460 ${y - swell * 0.35} S 720 ${y - swell * 0.9}, 860 ${y - swell * 0.2}`}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.25"
            opacity={0.5 - index * 0.028}
          />
        )
      })}
      <circle cx="560" cy="250" r="74" fill="none" stroke="currentColor" strokeWidth="1.25" opacity="0.55" />
    </svg>
  )
}
