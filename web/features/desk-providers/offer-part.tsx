import { limits } from '@atrium/contract/limits.ts'
import { fiatCodes } from '@atrium/contract/money/currencies.ts'
import { offerProvider } from '@atrium/contract/payments/providers.ts'
import { termsField } from '@atrium/contract/payments/terms.ts'
import { Switch } from '@mantine/core'
import { call } from '../../api/transport.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { PictureField } from '../../ui/files/picture-field.tsx'
import { SavedForm } from '../../ui/forms/saved-form.tsx'
import { useRowFocus } from '../../ui/forms/use-row-focus.ts'
import rows from '../../ui/lists/desk-rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { CurrencyRow, type Terms } from './currency-row.tsx'
import { type Provider, useProviderForm, useProviderLogo } from './use-providers.ts'

const valuesOf = ({ enabled, title, position, currencies }: Provider): Values => ({
  ...{ enabled, currencies },
  title: title ?? '',
  position,
})

type Values = { enabled: boolean; title: string; position: number | null; currencies: Terms[] }

const terms = ['amount_min', 'amount_max', 'fee_percent', 'fee_fixed']
const termsFields = fiatCodes.flatMap((currency) => terms.map((name) => termsField(currency, name)))
const labels: Record<string, string> = {
  enabled: 'Switched on',
  title: 'Name for members',
  position: 'Position in the list',
  ...Object.fromEntries(['currencies', ...termsFields].map((field) => [field, 'Currencies'])),
}
const offerFields = {
  labels,
  fieldFor: (name: string) => (Object.hasOwn(labels, name) ? name : null),
  fieldsOf: { currencies: ['currencies', ...termsFields] },
}

const newTerms = (currency: string): Terms => ({
  ...{ currency, amount_min: '10', amount_max: '10000', fee_percent: '0', fee_fixed: '0' },
})

function ProviderLogo({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const logo = useProviderLogo(provider)
  return (
    <PictureField
      label={t('Logo for members')}
      alt={t('Current logo')}
      url={provider.image_url}
      hint={t('Shown beside the name where members choose how to pay. PNG or JPEG, ideally square. Saved at once.')}
      removal={provider.has_own_logo ? t('Use the default logo') : null}
      isSaving={logo.isPending}
      save={async (chosen) => {
        await logo.mutateAsync(chosen)
        toast.done(chosen ? t('The new logo is shown from now on.') : t('The default logo is shown again.'))
      }}
    />
  )
}

/** The provider as shown to members, and its terms per currency. */
export function OfferPart({ provider }: { provider: Provider }) {
  const { t } = useTranslation()
  const form = useProviderForm(provider, offerFields, valuesOf, ({ title, position, ...values }, version) =>
    call(offerProvider, {
      ...values,
      ...{ id: provider._id, version },
      title: title.trim() === '' ? null : title,
      position: position ?? Number.NaN,
    }),
  )
  const { values, change, errorOf } = form
  const { currencies } = values
  const focus = useRowFocus<HTMLUListElement, HTMLInputElement>()
  const take = (taken: string) => change({ currencies: currencies.filter(({ currency }) => currency !== taken) })
  const put = (currency: string, part: Partial<Terms>) =>
    change({ currencies: currencies.map((each) => (each.currency === currency ? { ...each, ...part } : each)) })
  const free = fiatCodes.filter((code) => !currencies.some(({ currency }) => currency === code))
  return (
    <SavedForm
      title={t('Offer to members')}
      help={t(
        'When off, it accepts no new payments; payments already started are still credited. Changes here ask you to confirm that it is you.',
      )}
      form={form}
    >
      <Switch
        label={t('Switched on')}
        description={t('Members find it when they deposit to an account in one of the currencies below.')}
        checked={values.enabled}
        error={errorOf('enabled')}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <ProviderLogo provider={provider} />
      <div className={rows.pair}>
        <TextInput
          label={t('Name for members')}
          placeholder={provider.name}
          charsMax={limits.nameCharsMax}
          value={values.title}
          error={errorOf('title')}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
        <NumberField
          label={t('Position in the list')}
          value={values.position}
          error={errorOf('position')}
          onChange={(position) => change({ position })}
        />
      </div>
      <ul ref={focus.list} data-stack="sm" aria-label={t('Currencies')}>
        {currencies.map((terms, index) => (
          <CurrencyRow
            key={terms.currency}
            terms={terms}
            errorOf={errorOf}
            onChange={(part) => put(terms.currency, part)}
            onTake={() => focus.removed(index, () => take(terms.currency))}
          />
        ))}
      </ul>
      <Select
        ref={focus.adding}
        label={t('Add a currency')}
        placeholder={t('Choose a currency')}
        searchable
        nothingFoundMessage={t('No matching currency')}
        data={free}
        value={null}
        error={errorOf('currencies')}
        onChange={(code) => code && change({ currencies: [...currencies, newTerms(code)] })}
      />
    </SavedForm>
  )
}
