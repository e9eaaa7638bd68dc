import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Callout } from '../../ui/state.tsx'
import { creditingWords, problemWord } from './crediting-words.ts'
import parts from './deposit-detail.module.css'
import type { DeskDeposit } from './use-desk-deposits.ts'

/** Where the crediting stands, as long as something is left to happen. */
export function CreditingNotice({ deposit }: { deposit: DeskDeposit }) {
  const { t } = useTranslation()
  const { crediting, state } = deposit
  if (!crediting || state === 'approved' || state === 'rejected' || state === 'cancelled') return null
  const words = creditingWords(crediting)
  if (!words) return null
  const problem = crediting.last_problem === null ? null : problemWord(crediting.last_problem)
  return (
    <Callout meaning={words.meaning}>
      <strong className={parts.noticeTitle}>{t(words.title)}</strong>
      <p>{t(words.text)}</p>
      {problem && (
        <p>
          {t('Last problem: {{problem}}', { problem: t(problem.text) })}
          {problem.code && ` (${t('platform code {{code}}', { code: problem.code })})`}
        </p>
      )}
      {crediting.attempt > 1 && <p>{t('Tries so far: {{count}}', { count: crediting.attempt })}</p>}
      {words.needsPerson && (
        <p className={parts.tag}>
          {t('Tag')} <code>{crediting.tag}</code> <CopyButton value={crediting.tag} name={t('Tag')} />
        </p>
      )}
    </Callout>
  )
}
