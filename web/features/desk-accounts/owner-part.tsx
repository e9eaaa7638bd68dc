import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { Button } from '@mantine/core'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { ReasonField } from '../../ui/forms/reason-fields.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-accounts.module.css'
import { OwnerProposed } from './difference-row.tsx'
import { type DeskAccount, useOwnerCorrection } from './use-accounts.ts'
import { useCorrection } from './use-correction.ts'

/** Corrects a wrong owner, while no money was moved on the account here. */
export function OwnerPart({ account }: { account: DeskAccount }) {
  const { t } = useTranslation()
  const { isShown, isOpen, open, close } = useCorrection(account)
  if (!isShown) return null
  return (
    <div data-group="lg" data-lines="md" data-align="center" data-pad="md lg">
      <div className={parts.grow}>
        <span className={parts.strong}>{t('Owner')}</span>
        {account.owner_proposed && <OwnerProposed {...account.owner_proposed} />}
      </div>
      <Button variant="default" size="xs" onClick={open}>
        {t('Correct the owner')}
      </Button>
      {isOpen && <OwnerDialog account={account} onClose={close} />}
    </div>
  )
}

const labels = { customer_number: 'Customer number', reason: 'Reason' }

function OwnerDialog({ account, onClose }: { account: DeskAccount; onClose: () => void }) {
  const { t } = useTranslation()
  const correcting = useOwnerCorrection()
  const form = useCallForm({
    start: { customer_number: account.owner_proposed?.customer_number ?? '', reason: '' },
    labels,
    check: ({ customer_number: number, reason }) => ({
      ...(number.trim() === '' && { customer_number: [deskTexts.differenceMember] }),
      ...(reason.trim() === '' && { reason: [deskTexts.reasonMissing] }),
    }),
    key: 'own',
    send: (values, { key }) => correcting.mutateAsync({ id: account._id, ...values, idempotency_key: key }),
    onDone: ({ account: now }) => {
      const isMoved = now.member._id !== account.member._id
      toast.done(isMoved ? t('The owner was corrected.') : t('Saved. It needs a second approval.'))
      onClose()
    },
  })
  const { values, change, errorOf } = form
  const title = t('Correct the owner of account {{login}}', { login: account.platform_login })
  return (
    <CallDialog
      form={form}
      title={title}
      label={title}
      size={480}
      submit={t('Assign to this member')}
      cancel={t('Not now')}
      onClose={onClose}
    >
      <p className={parts.quiet}>
        {t('The account moves from {{name}} to this member, with its balance and history.', {
          name: account.member.name,
        })}{' '}
        {t('The member is asked to set new passwords, because the previous owner may know them.')}
      </p>
      <TextInput
        label={t(labels.customer_number)}
        description={t('From the member\u2019s page.')}
        required
        data-autofocus
        charsMax={50}
        value={values.customer_number}
        error={errorOf('customer_number')}
        onChange={(event) => change({ customer_number: event.currentTarget.value })}
      />
      <ReasonField label={t(labels.reason)} form={form} />
    </CallDialog>
  )
}
