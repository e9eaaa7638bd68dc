import { IconBuildingBank } from '@tabler/icons-react'
import { fileAddress } from '../../api/address.ts'
import { Logo } from '../../ui/brand/logo.tsx'
import { ChoiceCard } from '../../ui/fields/choice-card.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './deposit/deposit-form.module.css'
import { offerIn, type Provider } from './deposit/use-ways-to-pay.ts'
import { feeText, isOutside, manualMethod, namesOf, rangeText } from './deposit/ways-to-pay.ts'

type MethodChoicesProps = {
  /** In display order. */
  methods: readonly string[]
  providers: readonly Provider[]
  currency: string | null
  amount: string
  chosen: string
  /** The method used last. */
  last: string | null
  onChoose: (method: string) => void
}

/** Payment methods with fee, limits and time: the providers for the account's currency, and a bank transfer. */
export function MethodChoices({ methods, providers, last, ...props }: MethodChoicesProps) {
  const { t } = useTranslation()
  return (
    <div data-stack="sm" role="radiogroup" aria-label={t('Method')}>
      {methods.map((method) => {
        const provider = providers.find(({ app_uid }) => app_uid === method)
        const note = method === last ? t('Last used') : null
        if (provider) return <ProviderChoice key={method} {...props} provider={provider} note={note} />
        return method === manualMethod ? <ManualChoice key={method} {...props} note={note} /> : null
      })}
    </div>
  )
}

type ChoiceProps = Pick<MethodChoicesProps, 'currency' | 'amount' | 'chosen' | 'onChoose'> & { note: string | null }

function ProviderChoice({ provider, currency, amount, chosen, onChoose, note }: ChoiceProps & { provider: Provider }) {
  const { t } = useTranslation()
  const offer = offerIn(provider, currency)
  const { name, beside } = namesOf(provider)
  const heads = [note, beside && t(beside)]
  const facts = offer
    ? [
        t('Fee: {{fee}}', { fee: feeText(offer) ?? t('None') }),
        rangeText(offer),
        provider.takes_coins ? t('After the network confirms it') : t('Within minutes of the payment'),
      ]
    : [provider.currencies.map((each) => each.currency).join(', ')]
  return (
    <ChoiceCard
      group="method"
      name={t(name)}
      spoken={beside ? `${t(name)}, ${t(beside)}` : undefined}
      about={
        <>
          {heads.some(Boolean) && <span>{heads.filter(Boolean).join(dot)}</span>}
          <span>{facts.join(dot)}</span>
          {isOutside(amount, offer) && <span className={parts.outside}>{t('Not available for this amount')}</span>}
        </>
      }
      isChosen={chosen === provider.app_uid}
      onChoose={() => onChoose(provider.app_uid)}
      mark={<Logo url={fileAddress(provider.app.image_url ?? '')} size={36} />}
    />
  )
}

function ManualChoice({ currency, chosen, onChoose, note }: ChoiceProps) {
  const { t } = useTranslation()
  const facts = [t('Fee: {{fee}}', { fee: t('None') }), currency, t('After we review your receipt')]
  return (
    <ChoiceCard
      group="method"
      name={t('Bank transfer')}
      spoken={`${t('Bank transfer')}, ${t('Manual transfer')}`}
      about={
        <>
          <span>{[note, t('You transfer from your bank and send us the receipt.')].filter(Boolean).join(dot)}</span>
          <span>{facts.filter(Boolean).join(dot)}</span>
        </>
      }
      isChosen={chosen === manualMethod}
      onChoose={() => onChoose(manualMethod)}
      mark={
        <span className={parts.bankMark}>
          <IconBuildingBank size={20} stroke={1.5} aria-hidden />
        </span>
      }
    />
  )
}

const dot = ' \u00b7 '
