import { deskTexts } from '@atrium/contract/desk-texts.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import parts from './desk-accounts.module.css'
import { decisionWords } from './difference-words.ts'
import { type Difference, useDecision } from './use-accounts.ts'

type Kind = 'live' | 'demo'

/** Whose account it is, by the number that stands on the member's page: nobody is guessed, not even from a name. */
export function ImportDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const { t } = useTranslation()
  const [customerNumber, setCustomerNumber] = useState('')
  const [kind, setKind] = useState<Kind | null>(null)
  const [isTried, setTried] = useState(false)
  const decision = useDecision()
  const fields = decision.error instanceof ApiError ? decision.error.fieldErrors : {}
  const wordsOf = (field: string) => fields[field]?.map((message) => t(message)).join(' ')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (decision.isPending || kind === null || customerNumber.trim() === '') return
    const order = { id: difference._id, decision: 'import', customer_number: customerNumber } as const
    decision.mutate(
      { ...order, account_kind: kind },
      {
        onSuccess: () => {
          notice.done(t(decisionWords.import.done))
          onClose()
        },
      },
    )
  }
  const title = t('Assign account {{login}} to a member', { login: difference.platform_login })
  return (
    <Modal opened onClose={onClose} title={title} size={480} closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={parts.form} onSubmit={submit} noValidate aria-label={title}>
        {decision.error && Object.keys(fields).length === 0 && (
          <Callout meaning="red">{t(decision.error.message)}</Callout>
        )}
        <p className={parts.quiet}>
          {t('From now on the member sees it with balance and history, and can deposit and withdraw.')}
        </p>
        <TextInput
          label={t('Customer number')}
          description={t('From the member’s page.')}
          required
          data-autofocus
          charsMax={50}
          value={customerNumber}
          error={
            wordsOf('customer_number') ?? (isTried && customerNumber.trim() === '' && t(deskTexts.differenceMember))
          }
          onChange={(event) => setCustomerNumber(event.currentTarget.value)}
        />
        <Radio.Group
          label={t('Type of funds')}
          required
          value={kind}
          error={wordsOf('account_kind') ?? (isTried && kind === null && t(deskTexts.differenceAccountKind))}
          onChange={(chosen) => setKind(chosen as Kind)}
        >
          <div className={parts.choices}>
            <Radio value="live" label={t('Live')} description={t('Real funds')} />
            <Radio value="demo" label={t('Demo')} description={t('Demo funds')} />
          </div>
        </Radio.Group>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={decision.isPending}>
            {t('Assign to this member')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
