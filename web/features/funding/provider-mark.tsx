import parts from './payment-form.module.css'

/** Word marks of providers at one optical height; one that we have none for is shown by its name. */
const marks: Record<string, { word: string; colour: string }> = {
  coinpayments: { word: 'coinpayments', colour: '#16568f' },
  zotapay: { word: 'zota', colour: '#5b2ee5' },
  safecharge: { word: 'nuvei', colour: '#0a0e3f' },
}

export function ProviderMark({ uid, name }: { uid: string; name: string }) {
  const mark = marks[uid]
  const word = mark?.word ?? name
  const width = 20 + word.length * 11
  return (
    <svg className={parts.mark} viewBox={`0 0 ${width} 28`} width={width} height={28} role="img" aria-label={name}>
      <rect width={width} height="28" rx="6" fill={mark?.colour ?? '#3a4654'} />
      <text x={width / 2} y="19" textAnchor="middle" fontSize="15" fontWeight="600" fill="#fff">
        {word}
      </text>
    </svg>
  )
}
