import { type AccountAccess, accountAccesses } from '@atrium/contract/accounts/access.ts'
import { limits } from '@atrium/contract/limits.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { Button, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Meaning } from '../../ui/brand/theme.ts'
import { notice } from '../../ui/feedback/notice.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-accounts.module.css'
import { type DeskAccount, useAccessChange } from './use-accounts.ts'

const words: Record<AccountAccess, { label: string; meaning: Meaning; text: string }> = {
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
}

const accessOfSide = ({ is_enabled, is_read_only }: DeskAccount['portal']): AccountAccess =>
  is_enabled ? (is_read_only ? 'read_only' : 'full') : 'disabled'

/** The account's access level and the action to change it. */
export function AccessPart({ account, mayRestrict }: { account: DeskAccount; mayRestrict: boolean }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { label, meaning } = words[accessOfSide(account.portal)]
  return (
    <div className={parts.row}>
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

/** Explains the consequences and requires a reason. */
function AccessDialog({ account, onClose }: { account: DeskAccount; onClose: () => void }) {
  const { t } = useTranslation()
  const [access, setAccess] = useState<AccountAccess>(accessOfSide(account.portal))
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const change = useAccessChange()
  const isMissing = reason.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isMissing || change.isPending) return
    const onSuccess = () => {
      notice.done(t('The access of account {{login}} has been set.', { login: account.platform_login }))
      onClose()
    }
    change.mutate({ id: account._id, access, reason }, { onSuccess })
  }
  const title = t('Access of account {{login}}', { login: account.platform_login })
  return (
    <Modal opened onClose={onClose} title={title} size={480} closeButtonProps={{ 'aria-label': t('Close') }}>
      <form className={parts.form} onSubmit={submit} noValidate aria-label={title}>
        <p className={parts.quiet}>
          {t(
            'It takes effect on the platform at once. Without full access, the member cannot deposit or withdraw here. They are notified by email, without the reason.',
          )}
        </p>
        <Radio.Group
          label={t('Access')}
          required
          value={access}
          onChange={(chosen) => setAccess(accountAccesses.find((each) => each === chosen) ?? access)}
        >
          <div className={parts.choices}>
            {accountAccesses.map((each) => (
              <Radio key={each} value={each} label={t(words[each].label)} description={t(words[each].text)} />
            ))}
          </div>
        </Radio.Group>
        <Textarea
          label={t('Why')}
          description={t('Visible to staff only.')}
          required
          autosize
          minRows={2}
          maxRows={6}
          charsMax={limits.commentCharsMax}
          error={isTried && isMissing && t(deskTexts.reasonMissing)}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {change.error && <Callout meaning="red">{t(change.error.message)}</Callout>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={change.isPending} onClick={onClose}>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('Set access')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
