import { Button, Skeleton } from '@mantine/core'
import { IconChevronRight, IconDeviceMobileCode, IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { openProof } from '../../api/proof.ts'
import { serverNow } from '../../api/transport.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './enrolment.module.css'
import { knowsPasskeys } from './passkey-browser.ts'
import { PasskeySetup } from './passkey-setup.tsx'
import { RecoveryCodeList } from './recovery-code-list.tsx'
import type { Added, Security } from './security-api.tsx'
import { TotpSetup } from './totp-setup.tsx'
import { useCodesGuard } from './use-codes-guard.ts'
import { useSecurity } from './use-security.ts'

type EnrolmentProps = {
  /** Called once a second factor is set up and its recovery codes are saved. */
  onEnrolled: () => void
  onLeave: () => void
}

/** For a user who must set up a second factor before anything else is accessible. */
export function Enrolment({ onEnrolled, onLeave }: EnrolmentProps) {
  const { t } = useTranslation()
  const { data: security, error, refetch } = useSecurity()
  if (error && !security) return <ErrorState error={error} onRetry={() => refetch()} />
  return (
    <div data-stack="lg">
      {security ? (
        <Choice security={security} onEnrolled={onEnrolled} />
      ) : (
        <div aria-busy>
          <Skeleton height={76} mb="md" radius={12} />
          <Skeleton height={76} radius={12} />
        </div>
      )}
      <Button variant="subtle" fullWidth onClick={onLeave}>
        {t('Sign out')}
      </Button>
    </div>
  )
}

function Choice({ security, onEnrolled }: { security: Security; onEnrolled: () => void }) {
  const { t } = useTranslation()
  const [setup, setSetup] = useState<'totp' | 'passkey' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [areKept, setKept] = useState(false)
  useCodesGuard(codes !== null && !areKept)
  const choose = async (chosen: 'totp' | 'passkey') => {
    const isFresh = security.proven_until !== null && security.proven_until > serverNow()
    if (isFresh || (await openProof())) setSetup(chosen)
  }
  const finish = ({ recovery_codes }: Added) => (recovery_codes ? setCodes(recovery_codes) : onEnrolled())
  const keep = () => {
    // Synchronous, so that the guard does not ask when the page is left.
    flushSync(() => setKept(true))
    onEnrolled()
  }
  if (codes) return <RecoveryCodeList codes={codes} onKept={keep} />
  if (setup) {
    return (
      <div>
        {setup === 'totp' ? <TotpSetup onAdded={finish} /> : <PasskeySetup onAdded={finish} />}
        <Button variant="subtle" fullWidth mt="sm" onClick={() => setSetup(null)}>
          {t('Choose another method')}
        </Button>
      </div>
    )
  }
  return (
    <div data-stack="md">
      <Way
        icon={IconDeviceMobileCode}
        title={t('Authenticator app')}
        text={t('An app on your phone shows a code that is asked for when you sign in.')}
        onChoose={() => choose('totp')}
      />
      {knowsPasskeys() && (
        <Way
          icon={IconFingerprint}
          title={t('Passkey')}
          text={t('Sign in with your fingerprint, face or PIN after your password.')}
          onChoose={() => choose('passkey')}
        />
      )}
    </div>
  )
}

type WayProps = { icon: typeof IconFingerprint; title: string; text: string; onChoose: () => void }

function Way({ icon: Icon, title, text, onChoose }: WayProps) {
  return (
    <button type="button" className={parts.way} onClick={onChoose}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <span className={parts.words}>
        <span className={parts.title}>{title}</span>
        <span className={parts.text}>{text}</span>
      </span>
      <IconChevronRight size={18} stroke={1.5} aria-hidden />
    </button>
  )
}
