import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readMember } from '@atrium/contract/members/desk-calls.ts'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { Ago } from '../../ui/text/moment.tsx'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { isMoving, openingLabels } from './opening-labels.ts'
import parts from './openings.module.css'

export type Opening = CallAnswer<typeof readMember>['member']['openings'][number]

/** The requested account and the opening's state. */
export function OpeningHead({ opening }: { opening: Opening }) {
  const { t } = useTranslation()
  const { meaning, label } = openingLabels[opening.state]
  return (
    <>
      <span className={parts.name}>
        {opening.platform} {opening.login ?? opening.group}{' '}
        <Tag label={opening.kind === 'live' ? t('Live') : t('Demo')} isStrong={opening.kind === 'live'} />
      </span>
      <StatusPill meaning={meaning} label={t(label)} isMoving={isMoving(opening.state)} />
    </>
  )
}

/** Time, terms, and the cause of the outcome. */
export function OpeningMore({ opening }: { opening: Opening }) {
  const { t } = useTranslation()
  const { meaning, about } = openingLabels[opening.state]
  const { problem, platform_text } = opening
  // The state already says that the account was not found.
  const isCauseShown = problem !== null && opening.state !== 'not_opened'
  return (
    <>
      {t('1:{{leverage}}', { leverage: opening.leverage })} {'·'} <Ago at={opening.created_at} />
      {meaning !== 'green' && ` · ${t('Tag {{tag}}', opening)}`}
      {about && <span className={parts.why}>{t(about)}</span>}
      {(isCauseShown || platform_text) && (
        <span className={parts.why}>
          {isCauseShown && <Cause problem={problem} />}{' '}
          {platform_text && t('The platform said: {{text}}', { text: platform_text })}
        </span>
      )}
    </>
  )
}

function Cause({ problem }: { problem: string }) {
  const { t } = useTranslation()
  return (
    <PlatformProblem
      problem={problem}
      show={({ text, code }) => (
        <>
          {t('Cause: {{problem}}', { problem: text })}
          {code && ` (${t('platform code {{code}}', { code })})`}
        </>
      )}
    />
  )
}
