import { limits } from '@atrium/contract/limits.ts'
import type { ReactNode } from 'react'
import { ChoiceCard } from '../../ui/fields/choice-card.tsx'
import { PasswordInput } from '../../ui/fields/password-input.tsx'
import { PasswordRules } from '../../ui/fields/password-rules.tsx'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Select } from '../../ui/fields/select.tsx'
import { StrengthMeter } from '../../ui/fields/strength-meter.tsx'
import formPage from '../../ui/forms/form-page.module.css'
import { platformTitle } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { choicesOf, type OfferedPlatform, rulesFor } from './opening-draft.ts'
import parts from './opening-parts.module.css'
import type { OpeningForm } from './use-opening-form.ts'

type OpeningFieldsProps = {
  form: OpeningForm
  platforms: OfferedPlatform[]
  leverage: readonly number[]
  /** The picture of a platform. */
  markOf: (type: string) => ReactNode
}

/** Platform, group, leverage and the trading password. */
export function OpeningFields(props: OpeningFieldsProps) {
  const { t } = useTranslation()
  return (
    <div className={formPage.steps}>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Platform')}</legend>
        <PlatformChoices {...props} />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Account')}</legend>
        <AccountChoices {...props} />
      </fieldset>
      <fieldset className={formPage.step}>
        <legend className={formPage.legend}>{t('Account password')}</legend>
        <PasswordFields form={props.form} />
      </fieldset>
    </div>
  )
}

function PlatformChoices({ form, platforms, markOf }: OpeningFieldsProps) {
  const { t } = useTranslation()
  const wrong = form.errorOf('platform')
  return (
    <div>
      <div role="radiogroup" aria-label={t('Platform')} aria-invalid={wrong !== undefined} className={parts.choices}>
        {platforms.map((platform) => (
          <ChoiceCard
            key={platform.id}
            group="platform"
            name={platform.name}
            about={platformTitle(platform.type)}
            mark={markOf(platform.type)}
            isChosen={form.values.platformId === platform.id}
            isWrong={wrong !== undefined}
            onChoose={() => form.change(choicesOf(platform))}
          />
        ))}
      </div>
      {wrong && <p className={parts.error}>{wrong}</p>}
    </div>
  )
}

function AccountChoices({ form, leverage }: OpeningFieldsProps) {
  const { t } = useTranslation()
  const groups = form.platform?.groups ?? []
  return (
    <div className={parts.pair}>
      <Select
        label={t('Group')}
        placeholder={t('Choose a group')}
        required
        allowDeselect={false}
        searchable={groups.length > limits.searchableGroupsOver}
        nothingFoundMessage={t('No matching group')}
        data={groups.map(({ name, alias }) => ({ value: name, label: alias }))}
        value={form.values.group}
        error={form.errorOf('group')}
        onChange={(group) => form.change({ group })}
      />
      <Select
        label={t('Leverage')}
        required
        allowDeselect={false}
        data={leverage.map((value) => ({ value: String(value), label: t('1:{{leverage}}', { leverage: value }) }))}
        value={form.values.leverage === null ? null : String(form.values.leverage)}
        error={form.errorOf('leverage')}
        onChange={(value) => form.change({ leverage: value === null ? null : Number(value) })}
      />
    </div>
  )
}

function PasswordFields({ form }: { form: OpeningForm }) {
  const { t } = useTranslation()
  const { password, confirmation } = form.values
  const shared = (field: 'password' | 'confirmation') => ({
    labelProps: requiredLabel,
    required: true,
    withAsterisk: false,
    autoComplete: 'new-password',
    charsMax: limits.tradingPasswordCharsMax,
    error: form.errorOf(field),
    'aria-invalid': form.errorOf(field) !== undefined,
    visibilityToggleButtonProps: { 'aria-label': t('Show password'), tabIndex: 0 },
  })
  return (
    <>
      <PasswordInput
        {...shared('password')}
        label={t('Password')}
        description={t('You sign in to the trading platform with it. We keep no copy of it.')}
        value={password}
        onChange={(event) => form.change({ password: event.currentTarget.value })}
      />
      <StrengthMeter password={password} />
      <PasswordRules password={password} rules={rulesFor(form.platform)} />
      <PasswordInput
        {...shared('confirmation')}
        label={t('Confirm password')}
        value={confirmation}
        onChange={(event) => form.change({ confirmation: event.currentTarget.value })}
      />
    </>
  )
}
