import { limits } from '@atrium/contract/limits.ts'
import type { VendorSettings } from '@atrium/contract/workspace-settings/lists.ts'
import { Checkbox, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { PictureField } from '../../ui/files/picture-field.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { SectionForm } from './section-form.tsx'
import parts from './settings.module.css'
import { useSection, useVendorLogo, useWorkspace } from './use-workspace.ts'

/** The settings in which a vendor differs from the brokerage; an empty field inherits. */
export function VendorsSection() {
  const { t } = useTranslation()
  const form = useSection('vendors')
  const { vendor_settings } = form.values
  const [chosen, setChosen] = useState(vendor_settings[0]?.vendor)
  // A colleague may have archived the chosen one.
  const own = vendor_settings.find(({ vendor }) => vendor === chosen) ?? vendor_settings[0]
  const error = form.errorOf('vendor_settings')
  const change = (part: Partial<VendorSettings>) =>
    form.change({
      vendor_settings: vendor_settings.map((each) => (each.vendor === own?.vendor ? { ...each, ...part } : each)),
    })
  return (
    <SectionForm
      title={t('Settings per vendor')}
      help={t('What the portal shows under the name of a vendor. An empty field uses the brokerage’s setting.')}
      form={form}
    >
      {own ? (
        <>
          <NativeSelect
            label={t('Vendor')}
            value={own.vendor}
            data={vendor_settings.map(({ vendor }) => vendor)}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <VendorLogo key={own.vendor} vendor={own.vendor} />
          <VendorFields own={own} change={change} />
          {error && (
            <p className={parts.problem} role="alert">
              {error}
            </p>
          )}
        </>
      ) : (
        <p className={parts.quiet}>{t('There are no vendors yet. They are added under Vendors and departments.')}</p>
      )}
    </SectionForm>
  )
}

function VendorLogo({ vendor }: { vendor: string }) {
  const { t } = useTranslation()
  const { logo_url, vendor_logos } = useWorkspace()
  const own = vendor_logos[vendor] ?? null
  const logo = useVendorLogo(vendor)
  return (
    <PictureField
      label={t('Logo')}
      alt={own ? t('The logo of {{vendor}}', { vendor }) : t('The logo of the brokerage')}
      url={own ?? logo_url}
      hint={
        own
          ? t('PNG or JPEG, ideally on a transparent background and wider than tall. Saved at once.')
          : t('The logo of the brokerage is used until another one is chosen. PNG or JPEG, saved at once.')
      }
      removal={own && t('Use the brokerage’s logo')}
      isSaving={logo.isPending}
      save={async (picture) => {
        await logo.mutateAsync(picture)
        toast.done(picture ? t('The new logo is shown from now on.') : t('The logo of the brokerage is shown again.'))
      }}
    />
  )
}

type FieldsProps = { own: VendorSettings; change: (part: Partial<VendorSettings>) => void }

function VendorFields({ own, change }: FieldsProps) {
  const { t } = useTranslation()
  const { brand, accounts, lists } = useWorkspace().sections
  const departments = [...new Set([...lists.departments, ...(own.departments ?? [])])]
  const orNull = (text: string) => (text === '' ? null : text)
  return (
    <>
      <TextInput
        label={t('Name')}
        placeholder={brand.name}
        charsMax={limits.nameCharsMax}
        value={own.name ?? ''}
        onChange={(event) => change({ name: orNull(event.currentTarget.value) })}
      />
      <TextInput
        label={t('Accent')}
        placeholder={brand.accent}
        charsMax={7}
        value={own.accent ?? ''}
        onChange={(event) => change({ accent: orNull(event.currentTarget.value.trim()) })}
      />
      <TextInput
        label={t('Support email')}
        placeholder={brand.support_email ?? ''}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        charsMax={limits.emailCharsMax}
        value={own.support_email ?? ''}
        onChange={(event) => change({ support_email: orNull(event.currentTarget.value.trim()) })}
      />
      <TextInput
        label={t('Default currency')}
        placeholder={accounts.default_currency}
        charsMax={5}
        styles={{ input: { width: 160 } }}
        value={own.default_currency ?? ''}
        onChange={(event) => change({ default_currency: orNull(event.currentTarget.value.trim().toUpperCase()) })}
      />
      <Checkbox.Group
        label={t('Departments')}
        description={t('If none is selected, all departments of the brokerage are available.')}
        value={own.departments ?? []}
        onChange={(names) => change({ departments: names.length === 0 ? null : names })}
      >
        <div className={parts.choices}>
          {departments.map((name) => (
            <Checkbox key={name} value={name} label={name} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}
