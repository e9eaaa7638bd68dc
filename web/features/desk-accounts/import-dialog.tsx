import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { Radio } from '@mantine/core'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { decisionLabels } from './difference-labels.ts'
import { type Difference, useDecision } from './use-accounts.ts'

type Kind = 'live' | 'demo'

/** Assigns the account by member number; owners are never guessed, not even from a name. */
export function ImportDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const { t } = useTranslation()
  const decision = useDecision()
  const form = useCallForm({
    start: { customer_number: '', account_kind: null as Kind | null },
    labels: { customer_number: 'Customer number', account_kind: 'Type of funds' },
    check: ({ customer_number: number, account_kind: kind }) => ({
      ...(number.trim() === '' && { customer_number: [deskTexts.differenceMember] }),
      ...(kind === null && { account_kind: [deskTexts.differenceAccountKind] }),
    }),
    send: ({ customer_number, account_kind }) =>
      decision.mutateAsync({
        ...{ id: difference._id, decision: 'import', customer_number },
        ...(account_kind && { account_kind }),
      }),
    onDone: ({ is_waiting: isWaiting }) => {
      toast.done(isWaiting ? t('Saved. It needs a second approval.') : t(decisionLabels.import.done))
      onClose()
    },
  })
  const title = t('Assign account {{login}} to a member', { login: difference.platform_login })
  return (
    <CallDialog
      form={form}
      title={title}
      label={title}
      size={480}
      submit={t('Assign to this member')}
      onClose={onClose}
    >
      <p>{t('From now on the member sees it with balance and history, and can deposit and withdraw.')}</p>
      <TextInput
        label={t('Customer number')}
        description={t('From the member’s page.')}
        required
        data-autofocus
        charsMax={50}
        value={form.values.customer_number}
        error={form.errorOf('customer_number')}
        onChange={(event) => form.change({ customer_number: event.currentTarget.value })}
      />
      <Radio.Group
        label={t('Type of funds')}
        required
        value={form.values.account_kind}
        error={form.errorOf('account_kind')}
        onChange={(chosen) => form.change({ account_kind: chosen as Kind })}
      >
        <div data-stack="sm" data-above="sm">
          <Radio value="live" label={t('Live')} description={t('Real funds')} />
          <Radio value="demo" label={t('Demo')} description={t('Demo funds')} />
        </div>
      </Radio.Group>
    </CallDialog>
  )
}
