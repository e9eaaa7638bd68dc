import { type AccountAccess, accountAccesses } from '@atrium/contract/accounts/access.ts'
import { accessTexts } from '@atrium/contract/accounts/access-texts.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import { Button, Radio } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useOpened } from '../../forms/use-opened.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-accounts.module.css'
import { accountQuery, type DeskAccount, useAccessChange } from './use-accounts.ts'

const accessLabels: Record<AccountAccess, { label: string; meaning: Meaning; text: string }> = knownOr(
  { ...otherState, text: '' },
  {
    full: { label: 'Full access', meaning: 'green', text: 'The member signs in to the platform and trades.' },
    read_only: {
      label: 'Read-only',
      meaning: 'amber',
      text: 'The member signs in to the platform and sees it, but cannot trade. Open positions stay open.',
    },
    disabled: {
      label: 'Disabled',
      meaning: 'red',
      text: 'Nobody can sign in to the platform with it or trade on it. Open positions stay open.',
    },
  },
)

const accessOfSide = ({ is_enabled, is_read_only }: DeskAccount['portal']): AccountAccess =>
  is_enabled ? (is_read_only ? 'read_only' : 'full') : 'disabled'

/** The account's access level and the action to change it. */
export function AccessPart({ account, mayRestrict }: { account: DeskAccount; mayRestrict: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { label, meaning } = accessLabels[accessOfSide(account.portal)]
  return (
    <div data-group="lg" data-lines="md" data-align="center" data-pad="md lg">
      <span className={parts.grow}>
        <span className={parts.strong}>
          {t('Access')} <StatusPill meaning={meaning} label={t(label)} />
        </span>
      </span>
      {mayRestrict && !account.archived && !account.deleted && (
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {t('Change access')}
        </Button>
      )}
      {isOpen && <AccessDialog account={account} onClose={() => setOpen(false)} />}
    </div>
  )
}

const labels = { access: 'Access', reason: 'Reason' }

/** Explains the consequences and requires a reason. */
function AccessDialog({ account, onClose }: { account: DeskAccount; onClose: () => void }) {
  const { t } = useTranslation()
  const setting = useAccessChange()
  const { opened, takeNewer } = useOpened({
    row: account,
    newest: (queries) => queries.getQueryData(accountQuery(account._id).queryKey),
    refusals: [accessTexts.changed],
  })
  const seen = accessOfSide(opened.portal)
  const form = useCallForm({
    start: { access: seen, reason: '' },
    labels,
    check: ({ reason }) => (reason.trim() === '' ? { reason: [deskTexts.reasonMissing] } : {}),
    send: (values) => setting.mutateAsync({ id: account._id, seen, ...values }),
    onDone: () => {
      toast.done(t('The access to account {{login}} was changed.', { login: account.platform_login }))
      onClose()
    },
    onRefused(error, sent) {
      const newer = takeNewer(error)
      if (newer && sent.access === seen) form.change({ access: accessOfSide(newer.portal) })
    },
  })
  const { values, change, errorOf } = form
  const title = t('Access to account {{login}}', { login: account.platform_login })
  return (
    <CallDialog
      form={form}
      title={title}
      label={title}
      size={480}
      submit={t('Change access')}
      cancel={t('Not now')}
      onClose={onClose}
    >
      <p className={parts.quiet}>
        {t(
          'It takes effect on the platform at once. Without full access, the member cannot deposit or withdraw here. They are notified by email, without the reason.',
        )}
      </p>
      <Facts facts={[{ name: t('Access now'), value: t(accessLabels[seen].label) }]} />
      <Radio.Group
        label={t(labels.access)}
        required
        value={values.access}
        error={errorOf('access')}
        onChange={(chosen) => change({ access: accountAccesses.find((each) => each === chosen) ?? values.access })}
      >
        <div data-stack="sm" data-above="sm">
          {accountAccesses.map((each) => (
            <Radio
              key={each}
              value={each}
              label={t(accessLabels[each].label)}
              description={t(accessLabels[each].text)}
            />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={t(labels.reason)}
        description={t('Visible to staff only.')}
        required
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        error={errorOf('reason')}
        value={values.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
