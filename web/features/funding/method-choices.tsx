import { formatAmount } from '@atrium/contract/money.ts'
import { isFree, isZero } from '@atrium/contract/payment-fee.ts'
import { IconBuildingBank } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { fileAddress } from '../../api/address.ts'
import { ChoiceCard } from '../../ui/choice-card.tsx'
import { readerLanguage } from '../../ui/format.ts'
import { Logo } from '../../ui/logo.tsx'
import parts from './deposit-form.module.css'
import { type Offer, offerIn, type Provider } from './use-ways-to-pay.ts'

export const manualMethod = 'manual'

type MethodChoicesProps = {
  providers: readonly Provider[]
  currency: string | null
  chosen: string
  onChoose: (method: string) => void
}

/** How to pay: the providers that take the account's currency, and the transfer from one's own bank. */
export function MethodChoices({ providers, currency, chosen, onChoose }: MethodChoicesProps) {
  const { t } = useTranslation()
  const fitting = providers.filter((provider) => currency === null || offerIn(provider, currency))
  return (
    <div className={parts.choices} role="radiogroup" aria-label={t('Method')}>
      {fitting.map((provider) => (
        <ChoiceCard
          key={provider._id}
          group="method"
          name={provider.name}
          about={provider.currencies.map((offer) => offer.currency).join(', ')}
          isChosen={chosen === provider.app_uid}
          onChoose={() => onChoose(provider.app_uid)}
          mark={<Logo url={fileAddress(provider.app.image_url ?? '')} size={36} />}
        >
          <ProviderFacts offer={offerIn(provider, currency)} />
        </ChoiceCard>
      ))}
      <ChoiceCard
        group="method"
        name={t('Manual transfer')}
        about={t('You transfer from your bank and send us the receipt.')}
        isChosen={chosen === manualMethod}
        onChoose={() => onChoose(manualMethod)}
        mark={
          <span className={parts.bankMark}>
            <IconBuildingBank size={20} stroke={1.5} aria-hidden />
          </span>
        }
      >
        <dl className={parts.methodFacts}>
          <dt>{t('Currency')}</dt>
          <dd>{currency ?? t('The account\u2019s')}</dd>
          <dt>{t('Our fee')}</dt>
          <dd>{t('None')}</dd>
          <dt>{t('Credited')}</dt>
          <dd>{t('Once we have checked the receipt')}</dd>
        </dl>
      </ChoiceCard>
    </div>
  )
}

function ProviderFacts({ offer }: { offer: Offer | null }) {
  const { t } = useTranslation()
  if (!offer) return <p className={parts.quiet}>{t('Choose a trading account to see limits and fees.')}</p>
  const figure = (amount: string) => formatAmount(amount, offer.currency, readerLanguage())
  return (
    <dl className={parts.methodFacts}>
      <dt>{t('Limits')}</dt>
      <dd>
        {figure(offer.amount_min)} {'\u2013'} {figure(offer.amount_max)} {offer.currency}
      </dd>
      <dt>{t('Our fee')}</dt>
      <dd>{feeText(offer, figure) ?? t('None')}</dd>
      <dt>{t('Credited')}</dt>
      <dd>{t('Within minutes of the payment')}</dd>
    </dl>
  )
}

/** "1.9 % + 0.30 EUR", or whichever part of it there is. */
function feeText(offer: Offer, figure: (amount: string) => string): string | null {
  if (isFree(offer)) return null
  const percent = isZero(offer.fee_percent) ? [] : [`${offer.fee_percent} %`]
  const fixed = isZero(offer.fee_fixed) ? [] : [`${figure(offer.fee_fixed)} ${offer.currency}`]
  return [...percent, ...fixed].join(' + ')
}
