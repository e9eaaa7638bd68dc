import '../../ui/layout/shell-styles.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { frameStep, readFramedForm } from '../../features/funding/deposit/framed-form.ts'
import { PaymentFrame } from '../../features/funding/deposit/payment-frame.tsx'
import { isFinal, useDepositStatus } from '../../features/funding/deposit/use-deposit-status.ts'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useSharedSession } from '../shell/use-shared-session.ts'

/** A provider's page in a frame of ours. The payment's outcome is shown on the usual return page. */
export function RpnpayPaymentPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  useSharedSession()
  const [form] = useState(readFramedForm)
  const { data: status, error } = useDepositStatus(form?.order ?? null)
  const leave = (search: string) =>
    navigate({ href: `/deposit-processing/${form?.order ?? ''}${search}`, replace: true })
  const step = frameStep(form, {
    isKnown: status !== undefined,
    isFinal: status !== undefined && isFinal(status),
    isUnknown: status === undefined && error instanceof ApiError && error.code === 'not_found',
  })
  const isOver = step === 'leave'
  const leaveNow = useEffectEvent(() => leave(''))
  useEffect(() => {
    if (isOver) leaveNow()
  }, [isOver])
  if (step === 'wait') return <FormSkeleton label={t('Loading')} />
  return form && <PaymentFrame form={form} status={status} onReturn={leave} />
}
