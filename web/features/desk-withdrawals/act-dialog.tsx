import type { DeskWithdrawal } from '@atrium/contract/desk-withdrawals.ts'
import { limits } from '@atrium/contract/limits.ts'
import { formatAmount } from '@atrium/contract/money.ts'
import { givenReasons, withdrawalReasons } from '@atrium/contract/withdrawals.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Amount } from '../../ui/amount.tsx'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { Facts } from '../../ui/facts.tsx'
import { readerLanguage } from '../../ui/format.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useDestinationFacts } from './destination-facts.tsx'
import { type Act, useAct } from './use-desk-withdrawals.ts'
import parts from './withdrawal-desk.module.css'
import { reasonWords } from './withdrawal-words.ts'

export type Question = 'approve' | 'reject' | 'paid' | 'failed'
type DialogProps = { question: Question | null; withdrawal: DeskWithdrawal; onClose: () => void }

const titles: Record<Question, string> = {
  approve: 'Approve withdrawal T-{{ticket}} of {{amount}}?',
  reject: 'Reject withdrawal T-{{ticket}} of {{amount}}?',
  paid: 'Mark T-{{ticket}} as paid?',
  failed: 'Has the payment of T-{{ticket}} failed?',
}

/** Names the thing and the consequence before anything is sent, and sends it once. */
export function ActDialog({ question, withdrawal, onClose }: DialogProps) {
  const { t } = useTranslation()
  const asked = question ?? 'approve'
  const amount = `${formatAmount(withdrawal.amount, withdrawal.currency, readerLanguage())} ${withdrawal.currency}`
  return (
    <Modal
      opened={question !== null}
      onClose={onClose}
      title={t(titles[asked], { ticket: withdrawal.ticket, amount })}
      size={500}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {question === 'approve' && <Approve withdrawal={withdrawal} amount={amount} onClose={onClose} />}
      {question === 'reject' && <Reject withdrawal={withdrawal} onClose={onClose} />}
      {question === 'paid' && <Paid withdrawal={withdrawal} onClose={onClose} />}
      {question === 'failed' && <Failed withdrawal={withdrawal} amount={amount} onClose={onClose} />}
    </Modal>
  )
}

type FormProps = { withdrawal: DeskWithdrawal; onClose: () => void }

function useOneAct({ withdrawal, onClose }: FormProps, done: string) {
  const { t } = useTranslation()
  const attempt = useAct(withdrawal._id)
  // Two presses in one frame come before the button could show that it is busy.
  const isSent = useRef(false)
  const act = (what: Act) => {
    if (isSent.current) return
    isSent.current = true
    attempt.mutate(what, {
      onSuccess: () => {
        notice.done(t(done, { ticket: withdrawal.ticket }))
        onClose()
      },
      onSettled: () => {
        isSent.current = false
      },
    })
  }
  return { act, isPending: attempt.isPending, error: attempt.error }
}

type FrameProps = {
  children: ReactNode
  withdrawal: DeskWithdrawal
  attempt: { isPending: boolean; error: Error | null }
  button: string
  isDangerous?: boolean
  /** Where nothing is to be filled in, the safe choice has the focus. */
  isQuestion?: boolean
  onSubmit: () => void
  onClose: () => void
}

function Frame({
  children,
  withdrawal,
  attempt,
  button,
  isDangerous = false,
  isQuestion = false,
  onSubmit,
  onClose,
}: FrameProps) {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className={parts.form} onSubmit={submit} noValidate>
      <ActFacts withdrawal={withdrawal} />
      {children}
      {attempt.error && <Callout meaning="red">{t(attempt.error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button
          variant="default"
          data-autofocus={isQuestion || undefined}
          disabled={attempt.isPending}
          onClick={onClose}
        >
          {t('Not now')}
        </Button>
        <Button type="submit" loading={attempt.isPending} {...(isDangerous ? dangerousButton : {})}>
          {t(button)}
        </Button>
      </Group>
    </form>
  )
}

/** What is decided about, where the page behind is covered. */
function ActFacts({ withdrawal }: { withdrawal: DeskWithdrawal }) {
  const { t } = useTranslation()
  const { member, account, currency } = withdrawal
  const destination = useDestinationFacts(withdrawal).map(({ copy: _, ...fact }) => fact)
  return (
    <Facts
      facts={[
        { name: t('Net amount'), value: <Amount amount={withdrawal.net} currency={currency} /> },
        { name: t('Member'), value: `${member.name}, ${member.customer_number}` },
        {
          name: t('Account'),
          value: `${account.platform_type.toUpperCase()} ${account.platform_login} (${account.live_account ? t('Live') : t('Demo')})`,
        },
        ...destination,
      ]}
    />
  )
}

function Approve({ amount, ...props }: FormProps & { amount: string }) {
  const { t } = useTranslation()
  const { approvals, approvals_needed, account } = props.withdrawal
  const isLast = approvals + 1 >= approvals_needed
  const attempt = useOneAct(props, isLast ? 'T-{{ticket}} approved and sent.' : 'T-{{ticket}} needs one more approval.')
  return (
    <Frame
      withdrawal={props.withdrawal}
      isQuestion
      attempt={attempt}
      button={isLast ? 'Approve and debit' : 'Approve (first of two)'}
      onSubmit={() => attempt.act({ do: 'approve' })}
      onClose={props.onClose}
    >
      <p>
        {isLast
          ? t('{{amount}} leaves account {{login}} on the platform at once. The payment is made after that.', {
              amount,
              login: account.platform_login,
            })
          : t(
              'This amount needs a second approval. After yours, a colleague has to approve it before it is processed.',
            )}
      </p>
    </Frame>
  )
}

function Reject(props: FormProps) {
  const { t } = useTranslation()
  const [reason, setReason] = useState<(typeof givenReasons)[number] | null>(null)
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const attempt = useOneAct(props, 'T-{{ticket}} rejected. The member sees the reason.')
  const submit = () => {
    setMissing(reason === null)
    if (reason !== null) attempt.act({ do: 'reject', reason, note: note.trim() })
  }
  return (
    <Frame
      withdrawal={props.withdrawal}
      attempt={attempt}
      button="Reject withdrawal"
      isDangerous
      onSubmit={submit}
      onClose={props.onClose}
    >
      <Radio.Group
        label={t('Why is it rejected?')}
        value={reason}
        onChange={(value) => setReason(givenReasons.find((name) => name === value) ?? null)}
        error={isMissing && t('Please choose a reason.')}
      >
        <div className={parts.reasons}>
          {givenReasons.map((name, index) => (
            <Radio
              key={name}
              value={name}
              data-autofocus={index === 0 || undefined}
              label={t(reasonWords[name])}
              size="xs"
            />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={t('Note to the member (optional)')}
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {reason && (
        <p>
          {t('The member reads: {{sentence}}', {
            sentence: `${t(withdrawalReasons[reason].sentence)} ${t(withdrawalReasons[reason].next)}`,
          })}
        </p>
      )}
    </Frame>
  )
}

function Paid(props: FormProps) {
  const { t } = useTranslation()
  const [reference, setReference] = useState('')
  const [isMissing, setMissing] = useState(false)
  const attempt = useOneAct(props, 'T-{{ticket}} is marked as paid.')
  const submit = () => {
    const isEmpty = reference.trim() === ''
    setMissing(isEmpty)
    if (!isEmpty) attempt.act({ do: 'paid', reference: reference.trim() })
  }
  return (
    <Frame
      withdrawal={props.withdrawal}
      attempt={attempt}
      button="Mark as paid"
      onSubmit={submit}
      onClose={props.onClose}
    >
      <p>{t('The member sees the reference, and can ask their bank for it.')}</p>
      <TextInput
        label={t('Reference of the payment')}
        required
        charsMax={120}
        data-autofocus
        value={reference}
        error={isMissing && t('Please fill all required fields.')}
        onChange={(event) => setReference(event.currentTarget.value)}
      />
    </Frame>
  )
}

function Failed({ amount, ...props }: FormProps & { amount: string }) {
  const { t } = useTranslation()
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const attempt = useOneAct(props, 'T-{{ticket}} is refunded to the account.')
  const submit = () => {
    const isEmpty = note.trim() === ''
    setMissing(isEmpty)
    if (!isEmpty) attempt.act({ do: 'failed', note: note.trim() })
  }
  return (
    <Frame
      withdrawal={props.withdrawal}
      attempt={attempt}
      button="Refund"
      isDangerous
      onSubmit={submit}
      onClose={props.onClose}
    >
      <p>
        {t('{{amount}} is refunded to account {{login}}. Make sure that the payment will not arrive later.', {
          amount,
          login: props.withdrawal.account.platform_login,
        })}
      </p>
      <Textarea
        label={t('Why the payment failed')}
        required
        autosize
        minRows={2}
        charsMax={limits.commentCharsMax}
        data-autofocus
        value={note}
        error={isMissing && t('Please fill all required fields.')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Frame>
  )
}
