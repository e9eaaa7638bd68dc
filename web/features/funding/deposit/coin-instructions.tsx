import type { CoinPayment } from '@atrium/contract/payments/coin-payment.ts'
import { Button, Modal } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { Callout } from '../../../ui/feedback/state.tsx'
import { Facts } from '../../../ui/layout/facts.tsx'
import { LoadedQrCode } from '../../../ui/money/loaded-qr-code.tsx'
import { dayAndZone } from '../../../ui/text/format.ts'
import { useTranslation } from '../../../ui/text/use-translation.ts'
import { clockText, useSecondsLeft } from '../clock.ts'
import parts from './coin-instructions.module.css'
import { isFollowable } from './follow-redirect.ts'

type CoinInstructionsDialogProps = { coins: CoinPayment | null | undefined; onClose: () => void }

export function CoinInstructionsDialog({ coins, onClose }: CoinInstructionsDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={coins !== null && coins !== undefined}
      onClose={onClose}
      title={coins && t('Send {{coin}}', { coin: coins.crypto_currency })}
      size={520}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {coins && (
        <>
          <CoinInstructions coins={coins} />
          <Button fullWidth mt="md" onClick={onClose}>
            {coins.seen_at === null ? t('I have sent it') : t('Close')}
          </Button>
        </>
      )}
    </Modal>
  )
}

/** All data for a payment from a wallet, each item copyable, and its expiry. */
export function CoinInstructions({ coins }: { coins: CoinPayment }) {
  const { t } = useTranslation()
  const { address, amount, crypto_currency: coin, dest_tag: tag, network, checkout_url: page } = coins
  return (
    <div data-stack="md">
      <PaymentState coins={coins} />
      <LoadedQrCode text={address} label={t('QR code of the address')} />
      <Facts
        facts={[
          { name: t('Exact amount'), value: <span className={parts.exact}>{`${amount} ${coin}`}</span>, copy: amount },
          { name: t('Address'), value: <span className={parts.address}>{address}</span>, copy: address },
          {
            name: t('Destination tag or memo'),
            value: tag && <span className={parts.address}>{tag}</span>,
            copy: tag ?? undefined,
          },
          { name: t('Network'), value: network ?? coin },
        ]}
      />
      {tag && (
        <Callout meaning="amber">
          {t('Without the destination tag we cannot tell that the coins are yours. Enter it in your wallet.')}
        </Callout>
      )}
      <p className={parts.quiet}>
        {t('Send exactly this amount of this coin over this network. Your wallet\u2019s fee is added to it.')}
      </p>
      {page !== null && isFollowable(page, window.location.href) && (
        <a className={parts.page} href={page} target="_blank" rel="noopener noreferrer">
          {t('Open the checkout page')}
          <IconExternalLink size={16} stroke={1.5} aria-hidden />
        </a>
      )}
    </div>
  )
}

function PaymentState({ coins }: { coins: CoinPayment }) {
  const { t } = useTranslation()
  const left = useSecondsLeft(coins.expires_at)
  const until = dayAndZone(coins.expires_at)
  if (coins.seen_at !== null)
    return (
      <Callout meaning="blue">
        {t('We detected your coins. They are credited as soon as the network has confirmed them.')}
      </Callout>
    )
  if (left === 0)
    return (
      <Callout meaning="red">
        {t('The time has expired. Please do not send anything to this address any more.')}
      </Callout>
    )
  return (
    <Callout meaning="amber">
      {t('Send the coins before {{until}}.', { until })}{' '}
      {/* The sentence is announced once; screen readers need not announce every second. */}
      <span className={parts.clock} aria-hidden>
        {clockText(left)}
      </span>
    </Callout>
  )
}
