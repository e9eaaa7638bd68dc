import { ChoiceCard } from '../../../ui/fields/choice-card.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import parts from '../payment-form.module.css'
import type { Way } from './use-deposit-ways.ts'

type WayChoicesProps = {
  ways: readonly Way[]
  chosen: string | null
  isWrong: boolean
  onChoose: (code: string) => void
}

/** The payment methods of a provider that offers several in this currency. */
export function WayChoices({ ways, chosen, isWrong, onChoose }: WayChoicesProps) {
  const { t } = useTranslation()
  return (
    <div className={parts.ways} role="radiogroup" aria-label={t('Pay with')} aria-invalid={isWrong}>
      {ways.map(({ code, name }) => (
        <ChoiceCard
          key={code}
          group="way"
          name={t(name)}
          isChosen={chosen === code}
          isWrong={isWrong}
          onChoose={() => onChoose(code)}
        />
      ))}
    </div>
  )
}
