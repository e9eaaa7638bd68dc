import '../../ui/layout/shell-styles.ts'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { keptFramedForm } from '../../features/funding/deposit/framed-form.ts'
import { PaymentFrame } from '../../features/funding/deposit/payment-frame.tsx'
import { isFinal, useDepositStatus } from '../../features/funding/deposit/use-deposit-status.ts'
import { useSharedSession } from '../shell/use-shared-session.ts'

/** A provider's page in a frame of ours. The payment's outcome is shown on the usual return page. */
export function RpnpayPaymentPage() {
  const navigate = useNavigate()
  useSharedSession()
  const [form] = useState(keptFramedForm)
  const { data: status } = useDepositStatus(form?.order ?? null)
  const leave = (search: string) =>
    navigate({ href: `/deposit-processing/${form?.order ?? ''}${search}`, replace: true })
  const isOver = form === null || (status !== undefined && isFinal(status))
  const leaveNow = useEffectEvent(() => leave(''))
  useEffect(() => {
    if (isOver) leaveNow()
  }, [isOver])
  return form && <PaymentFrame form={form} status={status} onReturn={leave} />
}
