import { Button } from '@mantine/core'
import { IconDeviceMobileCode, IconFingerprint, IconLifebuoy } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import rowParts from '../../ui/lists/rows.module.css'
import { Ago } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { PasskeyName } from './passkey-name.tsx'
import { type Passkey, type Security, useSecurityApi } from './security-api.tsx'
import { useSecurityRefresh } from './use-security.ts'

type RowProps = {
  icon: typeof IconFingerprint
  title: ReactNode
  more: ReactNode
  /** Why the last action was not done. It must be read, and a toast is too short for that. */
  error?: Error | null
  children?: ReactNode
}

function Row({ icon: Icon, title, more, error, children }: RowProps) {
  const isCancelled = error instanceof ApiError && error.code === 'proof_required'
  return (
    <>
      <li className={`${rowParts.row} ${rowParts.wrapping}`}>
        <Icon size={20} stroke={1.5} aria-hidden className={rowParts.icon} />
        <span className={rowParts.grow}>
          <span className={rowParts.strong}>{title}</span>
          <span className={rowParts.quiet}>{more}</span>
        </span>
        <span data-group="sm" data-nowrap>
          {children}
        </span>
      </li>
      {error && !isCancelled && (
        <li className={rowParts.row}>
          <Refusal messages={[error.message]} isUnknown={false} />
        </li>
      )}
    </>
  )
}

export function AuthenticatorRow({ security, onSetUp }: { security: Security; onSetUp: () => void }) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const { remove, isRemoving, error } = useRemoval(api.removeTotp)
  const { totp } = security
  const ask = () =>
    remove({ title: t('Remove the authenticator app?'), body: t('Its codes will no longer be requested.') })
  return (
    <Row
      error={error}
      icon={IconDeviceMobileCode}
      title={
        <>
          {t('Authenticator app')}
          {totp ? <StatusPill meaning="green" label={t('On')} /> : <StatusPill meaning="grey" label={t('Off')} />}
        </>
      }
      more={
        totp ? (
          <>
            {t('Set up')} <Ago at={totp.created_at} />
          </>
        ) : (
          t('An app on your phone shows a code that is asked for when you sign in.')
        )
      }
    >
      <Button variant="default" size="xs" onClick={onSetUp}>
        {totp ? t('Replace the app') : t('Set up an app')}
      </Button>
      {totp && (
        <Button variant="default" size="xs" loading={isRemoving} onClick={ask} aria-label={t('Remove the app')}>
          {t('Remove')}
        </Button>
      )}
    </Row>
  )
}

export function PasskeyRows({ passkeys, onAdd }: { passkeys: Passkey[]; onAdd: () => void }) {
  const { t } = useTranslation()
  return (
    <>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey._id} passkey={passkey} />
      ))}
      <Row
        icon={IconFingerprint}
        title={t('Passkeys')}
        more={t('Sign in with your fingerprint, face or PIN after your password.')}
      >
        <Button variant="default" size="xs" onClick={onAdd}>
          {t('Add a passkey')}
        </Button>
      </Row>
    </>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const [isNaming, setNaming] = useState(false)
  const { remove, isRemoving, error } = useRemoval(() => api.removePasskey(passkey._id))
  const { name } = passkey
  const ask = () =>
    remove({
      title: t('Remove the passkey {{name}}?', { name }),
      body: t('It cannot be used to sign in any more.'),
    })
  return (
    <Row
      error={error}
      icon={IconFingerprint}
      title={name}
      more={
        <>
          {t('Added')} <Ago at={passkey.created_at} />
          {passkey.last_used_at && (
            <>
              <span aria-hidden>{' \u00b7 '}</span>
              {t('last used')} <Ago at={passkey.last_used_at} />
            </>
          )}
        </>
      }
    >
      <Button
        variant="default"
        size="xs"
        onClick={() => setNaming(true)}
        aria-label={t('Rename the passkey {{name}}', { name })}
      >
        {t('Rename')}
      </Button>
      <Button
        variant="default"
        size="xs"
        loading={isRemoving}
        onClick={ask}
        aria-label={t('Remove the passkey {{name}}', { name })}
      >
        {t('Remove')}
      </Button>
      {isNaming && <PasskeyName passkey={passkey} onClose={() => setNaming(false)} />}
    </Row>
  )
}

type CodesRowProps = { left: number; onCodes: (codes: string[]) => void }

export function RecoveryCodesRow({ left, onCodes }: CodesRowProps) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const confirm = useConfirm()
  const refresh = useSecurityRefresh()
  const renewing = useMutation({
    mutationFn: api.renewCodes,
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
    onSettled: refresh,
  })
  const renew = async () => {
    const yes = await confirm({
      title: t('Create new recovery codes?'),
      body: t('Your current codes will stop working.'),
      action: t('Create new codes'),
    })
    if (yes) renewing.mutate()
  }
  return (
    <Row
      error={renewing.error}
      icon={IconLifebuoy}
      title={
        <>
          {t('Recovery codes')}
          {left <= 2 && <StatusPill meaning="amber" label={t('Running out')} />}
        </>
      }
      more={left === 1 ? t('One is left.') : t('{{left}} are left.', { left })}
    >
      <Button variant="default" size="xs" loading={renewing.isPending} onClick={renew}>
        {t('New codes')}
      </Button>
    </Row>
  )
}

function useRemoval(remove: () => Promise<{ msg: string[] }>) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const refresh = useSecurityRefresh()
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: ({ msg }) => toast.done(msg.map((line) => t(line)).join(' ')),
    onSettled: async () => {
      await refresh()
      focusHeadingWhenLost()
    },
  })
  return {
    isRemoving: removing.isPending,
    error: removing.error,
    remove: async (question: { title: string; body: string }) => {
      if (await confirm({ ...question, action: t('Remove'), isDangerous: true })) removing.mutate()
    },
  }
}
