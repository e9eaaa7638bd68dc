import { Button } from '@mantine/core'
import { IconZoomScan } from '@tabler/icons-react'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import shared from '../../ui/layout/work-detail.module.css'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { creditingLabels } from './crediting-labels.ts'
import parts from './deposit-detail.module.css'
import { OutcomeDialog, StuckOutcomeNotice } from './stuck-outcome.tsx'
import { type DeskDeposit, isConflicting, useLookUpAgain, useSettling } from './use-desk-deposits.ts'

type CreditingProps = { deposit: DeskDeposit; mayDecide: boolean }

/** The state of an unfinished crediting. */
export function CreditingNotice({ deposit, mayDecide }: CreditingProps) {
  const { record, dialog } = useSettling(deposit)
  return (
    <>
      <Unfinished deposit={deposit} mayDecide={mayDecide} onRecord={record} />
      {dialog && <OutcomeDialog ticket={deposit.ticket} {...dialog} />}
    </>
  )
}

function Unfinished({ deposit, mayDecide, onRecord }: CreditingProps & { onRecord: () => void }) {
  const { t } = useTranslation()
  const { crediting } = deposit
  if (!crediting || ['approved', 'rejected', 'cancelled'].includes(deposit.state)) return null
  const labels = creditingLabels(crediting)
  if (!labels) return null
  return (
    <Callout meaning={labels.meaning}>
      <strong className={shared.noticeTitle}>{t(labels.title)}</strong>
      <p>{t(labels.text)}</p>
      {crediting.last_problem !== null && (
        <PlatformProblem
          problem={crediting.last_problem}
          show={({ text, code }) => (
            <p>
              {t('Last problem: {{problem}}', { problem: text })}
              {code && ` (${t('platform code {{code}}', { code })})`}
            </p>
          )}
        />
      )}
      {crediting.attempt > 1 && <p>{t('Attempts so far: {{count}}', { count: crediting.attempt })}</p>}
      {labels.needsPerson && (
        <p className={parts.tag} data-group="xs" data-align="center">
          {t('Tag')} <code>{crediting.tag}</code> <CopyButton value={crediting.tag} name={t('Tag')} />
        </p>
      )}
      {crediting.account_gone && (
        <StuckOutcomeNotice
          said={crediting.outcome_said}
          mayDecide={mayDecide}
          isOwn={deposit.is_own}
          onRecord={onRecord}
        />
      )}
      {labels.needsPerson && mayDecide && <LookUpAgain id={deposit._id} />}
    </Callout>
  )
}

/** Restarts a stuck crediting, for staff with the right to decide. The notice shows the result. */
function LookUpAgain({ id }: { id: string }) {
  const { t } = useTranslation()
  const attempt = useLookUpAgain(id)
  // When a colleague pressed first, the refetched deposit shows the result.
  const problem = attempt.error && !isConflicting(attempt.error) ? attempt.error.message : null
  return (
    <div className={parts.lookUpAgain} data-stack="sm" data-align="start" data-above="sm">
      <p>
        {t(
          'Once the account’s history is correct, check again. One operation with this tag and the full amount completes the deposit. If there is none, the tag is sent again only once that is certain. Anything unclear comes back here.',
        )}
      </p>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconZoomScan size={16} stroke={1.5} aria-hidden />}
        loading={attempt.isPending}
        onClick={() => attempt.mutate()}
      >
        {t('Check again')}
      </Button>
      {problem && <p role="alert">{t(problem)}</p>}
    </div>
  )
}
