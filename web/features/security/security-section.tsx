import { Modal, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { openProof } from '../../api/proof.ts'
import { serverNow } from '../../api/transport.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { useTopDialog } from '../../ui/feedback/open-dialogs.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Card, Section } from '../../ui/layout/page.tsx'
import rowParts from '../../ui/lists/rows.module.css'
import { exactTime } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AuthenticatorRow, PasskeyRows, RecoveryCodesRow } from './factor-rows.tsx'
import { PasskeySetup } from './passkey-setup.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'
import type { Security } from './security-api.tsx'
import parts from './security-section.module.css'
import { TotpSetup } from './totp-setup.tsx'
import { useCodesGuard } from './use-codes-guard.ts'
import { useSecurity, useSecurityRefresh } from './use-security.ts'

/** The user's own two-factor settings. */
export function SecuritySection() {
  const { t } = useTranslation()
  const { data: security, error, refetch } = useSecurity()
  return (
    <Section title={t('Two-factor sign-in')}>
      <Card>
        {error && !security ? (
          <ErrorState error={error} onRetry={() => refetch()} />
        ) : security ? (
          <Factors security={security} />
        ) : (
          <LoadingSkeleton />
        )}
      </Card>
    </Section>
  )
}

type Shown = { setup: 'totp' | 'passkey' } | { codes: string[] }

function Factors({ security }: { security: Security }) {
  const { t } = useTranslation()
  const refresh = useSecurityRefresh()
  const [shown, setShown] = useState<Shown | null>(null)
  const [isOpen, setOpen] = useState(false)
  const isTop = useTopDialog(isOpen)
  const show = (next: Shown) => {
    setShown(next)
    setOpen(true)
  }
  // Runs the step-up before the dialog opens, so that it does not interrupt a half-filled form.
  const setUp = async (setup: 'totp' | 'passkey') => {
    if (isProven(security) || (await openProof())) show({ setup })
  }
  const finish = ({ recovery_codes, msg }: { recovery_codes: string[] | null; msg: string[] }) => {
    toast.done(msg.map((line) => t(line)).join(' '))
    refresh()
    if (recovery_codes) show({ codes: recovery_codes })
    else setOpen(false)
  }
  const hasCodes = shown !== null && 'codes' in shown
  const { isAsking } = useCodesGuard(isOpen && hasCodes)
  const hasFactor = security.totp !== null || security.passkeys.length > 0
  return (
    <>
      <Hold until={security.withdrawals_held_until} />
      <ul className={rowParts.list}>
        <AuthenticatorRow security={security} onSetUp={() => setUp('totp')} />
        <PasskeyRows passkeys={security.passkeys} onAdd={() => setUp('passkey')} />
        {hasFactor && <RecoveryCodesRow left={security.recovery_codes_left} onCodes={(codes) => show({ codes })} />}
      </ul>
      <Modal
        opened={isOpen}
        onClose={() => isTop() && setOpen(false)}
        title={hasCodes ? t('Your recovery codes') : t(titles[shown?.setup ?? 'totp'])}
        size={480}
        closeOnClickOutside={false}
        // The codes are shown only once: only the button that says they are saved closes them.
        closeOnEscape={!hasCodes}
        withCloseButton={!hasCodes}
        trapFocus={!isAsking}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {hasCodes && <RecoveryCodeList codes={shown.codes} onKept={() => setOpen(false)} />}
        {shown &&
          'setup' in shown &&
          (shown.setup === 'totp' ? <TotpSetup onAdded={finish} /> : <PasskeySetup onAdded={finish} />)}
      </Modal>
    </>
  )
}

const titles = { totp: 'Set up an authenticator app', passkey: 'Add a passkey' }

function isProven({ proven_until }: Security): boolean {
  return proven_until !== null && proven_until > serverNow()
}

function Hold({ until }: { until: number | null }) {
  const { t } = useTranslation()
  if (until === null) return null
  return (
    <div className={parts.hold}>
      <Callout meaning="amber">
        {t(
          'Withdrawals are held until {{until}}, because your password, second factor, name, email or phone was changed. Deposits and trading continue as usual.',
          { until: exactTime(until) },
        )}
      </Callout>
    </div>
  )
}

function LoadingSkeleton() {
  return (
    <div className={parts.skeleton} aria-busy>
      <Skeleton height={20} width="45%" />
      <Skeleton height={20} width="30%" />
    </div>
  )
}
