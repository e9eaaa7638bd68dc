import { Callout } from '../../ui/feedback/state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

type ShownScores = { total: number; band: { name: string; text: string } | null }

/** The total points of a questionnaire and their meaning; empty without points. */
export function ScoresCallout({ scores }: { scores: ShownScores | null }) {
  const { t } = useTranslation()
  if (!scores) return null
  return (
    <Callout meaning="grey">
      <strong>{scores.band ? scores.band.name : t('Points: {{total}}', { total: scores.total })}</strong>
      {scores.band && ` \u00b7 ${t('Points: {{total}}', { total: scores.total })}`}
      {scores.band?.text && <div>{scores.band.text}</div>}
    </Callout>
  )
}
