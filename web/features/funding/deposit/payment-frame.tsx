import { Button } from '@mantine/core'
import { IconArrowLeft, IconExternalLink, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Callout } from '../../../ui/feedback/state.tsx'
import { FormSkeleton } from '../../../ui/forms/form-skeleton.tsx'
import { Amount } from '../../../ui/money/amount.tsx'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { clockText, useSecondsLeft } from '../clock.ts'
import { isFollowable, postForm } from './follow-redirect.ts'
import type { FramedForm } from './framed-form.ts'
import parts from './payment-frame.module.css'
import type { DepositStatus } from './use-deposit-status.ts'

const frameName = 'payment'
/** After this time without content the page counts as refusing to be framed. */
const patienceMs = 15_000

type PaymentFrameProps = {
  form: FramedForm
  status: DepositStatus | undefined
  /** Opens the payment's status, with the query string of the return address. */
  onReturn: (search: string) => void
}

/** A provider's page below our own bar with amount, remaining time and ways out. */
export function PaymentFrame({ form, status, onReturn }: PaymentFrameProps) {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(false)
  const { frame, shown, onLoad } = useFrame(form, onReturn)
  return (
    <div className={parts.page}>
      <header className={parts.bar}>
        <h1 className={parts.title}>{t('Payment')}</h1>
        {status && (
          <p className={parts.facts}>
            <span className={parts.amount}>
              <Amount amount={status.charge} currency={status.currency} />
            </span>
            <span>{t('Deposit {{ticket}}', { ticket: status.ticket })}</span>
            <TimeLeft until={status.expires_at} onOver={() => setOver(true)} />
          </p>
        )}
        <div className={parts.actions}>
          {!isOver && (
            <Button
              className={parts.unframed}
              variant="subtle"
              leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
              onClick={() => postForm(form)}
            >
              {t('Open as a full page')}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconX size={16} stroke={1.5} aria-hidden />}
            onClick={() => onReturn('?ppp_status=CANCEL')}
          >
            {t('Cancel')}
          </Button>
          <Button leftSection={<IconArrowLeft size={16} stroke={1.5} aria-hidden />} onClick={() => onReturn('')}>
            {t('I have paid')}
          </Button>
        </div>
      </header>
      <main className={parts.body}>
        {isOver ? (
          status?.is_pending ? (
            <Note meaning="blue">
              {t('Your payment is on its way. With some banks this takes several days. Please do not pay again.')}
            </Note>
          ) : (
            <Note meaning="red">
              {t('The time for this payment has expired. If you have paid, we are notified and process it.')}
            </Note>
          )
        ) : (
          <>
            {shown === 'nothing' && (
              <Note meaning="amber">{t('The payment page cannot be shown here. You can open it as a full page.')}</Note>
            )}
            {shown === 'waiting' && (
              <div className={parts.skeleton}>
                <FormSkeleton label={t('Loading')} />
              </div>
            )}
            <iframe
              ref={frame}
              name={frameName}
              title={t('The page of the payment provider')}
              className={shown === 'page' ? parts.frame : parts.hidden}
              sandbox="allow-forms allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
              referrerPolicy="no-referrer"
              onLoad={onLoad}
            />
          </>
        )}
      </main>
    </div>
  )
}

function Note({ meaning, children }: { meaning: 'red' | 'amber' | 'blue'; children: ReactNode }) {
  return (
    <div className={parts.note}>
      <Callout meaning={meaning}>{children}</Callout>
    </div>
  )
}

function TimeLeft({ until, onOver }: { until: number; onOver: () => void }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(until)
  const finish = useEffectEvent(onOver)
  useEffect(() => {
    if (left === 0) finish()
  }, [left])
  return (
    <span>
      {t('Time left')} {/* Screen readers need not announce every second. */}
      <span className={parts.clock} role="timer" aria-live="off">
        {clockText(left)}
      </span>
    </span>
  )
}

/** Posts the form into the frame and detects its return to our origin. */
function useFrame(form: FramedForm, onReturn: (search: string) => void) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [shown, setShown] = useState<'waiting' | 'page' | 'nothing'>('waiting')
  const isPosted = useRef(false)
  useEffect(() => {
    if (isPosted.current) return
    isPosted.current = true
    if (isFollowable(form.action, window.location.href)) postForm(form, frameName)
    else setShown('nothing')
  }, [form])
  useEffect(() => {
    const timer = setTimeout(() => setShown((now) => (now === 'waiting' ? 'nothing' : now)), patienceMs)
    const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (/^(frame-src|form-action)$/.test(effectiveDirective)) setShown('nothing')
    }
    document.addEventListener('securitypolicyviolation', refused)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('securitypolicyviolation', refused)
    }
  }, [])
  const onLoad = () => {
    const back = ownAddressIn(frame.current)
    if (back === null) setShown('page')
    else if (back.pathname.startsWith('/deposit-processing/')) onReturn(back.search)
  }
  return { frame, shown, onLoad }
}

/** The frame's location while it is on our origin; the browser hides that of any other origin. */
function ownAddressIn(frame: HTMLIFrameElement | null): Location | null {
  try {
    const { location } = frame?.contentWindow ?? {}
    return location && typeof location.pathname === 'string' ? location : null
  } catch {
    return null
  }
}
