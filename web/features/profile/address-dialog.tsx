import { limits } from '@atrium/contract/limits.ts'
import { saveAddresses } from '@atrium/contract/members.ts'
import { readCountries } from '@atrium/contract/workspace.ts'
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/transport.ts'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { KeptEntries } from '../../ui/kept-entries.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useTellDirty } from '../../ui/use-tell-dirty.ts'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'
import {
  type AddressDraft,
  type AddressField,
  addressFields,
  draftOf,
  problemsOf,
  withAddress,
  withoutAddress,
} from './address-draft.ts'
import { DialogButtons, SaveProblem } from './dialog-parts.tsx'
import parts from './profile-dialogs.module.css'
import { addressLines } from './profile-words.ts'
import type { Profile } from './use-profile.ts'
import { isConflict, useSaveProfile } from './use-save-profile.ts'

type Address = Profile['addresses'][number]
type AddressDialogProps = { profile: Profile; address: Address | 'new' | null; onClose: () => void }

export function AddressDialog({ profile, address, onClose }: AddressDialogProps) {
  const { t } = useTranslation()
  const title = address === 'new' ? t('Add an address') : t('Change address')
  return (
    <FormDialog title={title} size={560} isOpen={address !== null} onClose={onClose}>
      {(tools) =>
        address && <AddressForm profile={profile} address={address === 'new' ? null : address} tools={tools} />
      }
    </FormDialog>
  )
}

const labels: Record<AddressField, string> = {
  address_line_1: 'Street and number',
  address_line_2: 'Floor, flat or company (optional)',
  city: 'City',
  postcode: 'Postcode (optional)',
  state: 'State or province (optional)',
  country: 'Country',
}

function useAddress(profile: Profile, address: Address | null, { onSaved, onDirty }: DialogTools) {
  const { t } = useTranslation()
  const { form, tell } = useWrongFields()
  const [draft, setDraft] = useState(() => draftOf(address, profile.addresses.length === 0))
  const [problems, setProblems] = useState<Partial<Record<AddressField, string>>>({})
  const [error, setError] = useState<Error | null>(null)
  const [opened] = useState({ profile, draft })
  const { save, isSaving } = useSaveProfile(saveAddresses)
  const isDirty = JSON.stringify(draft) !== JSON.stringify(opened.draft)
  useTellDirty(isDirty, onDirty)

  const send = (listOf: (addresses: Address[]) => ReturnType<typeof withAddress>) => {
    const { profile_version: version, addresses } = isConflict(error) ? profile : opened.profile
    save({ version, addresses: listOf(addresses) }, { onSaved, onRefused: setError })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = problemsOf(draft)
    setProblems(found)
    tell(addressFields.filter((field) => found[field]).map((field) => t(labels[field])))
    if (Object.keys(found).length === 0) send((addresses) => withAddress(addresses, draft))
  }
  const change = (change: Partial<AddressDraft>) => {
    setDraft((before) => ({ ...before, ...change }))
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in change))))
  }
  const remove = () => address && send((addresses) => withoutAddress(addresses, address._id))
  return { form, draft, problems, error, isSaving, isDirty, submit, change, remove }
}

type AddressFormProps = { profile: Profile; address: Address | null; tools: DialogTools }

function AddressForm({ profile, address, tools }: AddressFormProps) {
  const { t } = useTranslation()
  const { form, draft, problems, error, isSaving, isDirty, submit, change, remove } = useAddress(
    profile,
    address,
    tools,
  )
  const countries = useQuery({
    queryKey: ['countries'],
    queryFn: async () => (await call(readCountries, {})).countries,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const fieldOf = (name: Exclude<AddressField, 'country'>, charsMax: number) => ({
    label: t(labels[name]),
    value: draft[name],
    charsMax: charsMax,
    error: problems[name] && t(problems[name]),
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  })
  const askToRemove = async () => {
    const yes = await tools.confirm({
      title: t('Remove this address?'),
      body: address && addressLines(address).join(', '),
      action: t('Remove'),
      isDangerous: true,
    })
    if (yes) remove()
  }
  return (
    <form ref={form} className={parts.form} onSubmit={submit} noValidate>
      <KeptEntries form={`address ${address?._id ?? ''}`} values={draft} isDirty={isDirty} onRestore={change} />
      <TextInput
        required
        data-autofocus
        autoComplete="address-line1"
        {...fieldOf('address_line_1', limits.addressLineCharsMax)}
      />
      <TextInput autoComplete="address-line2" {...fieldOf('address_line_2', limits.addressLineCharsMax)} />
      <div className={parts.pair}>
        <TextInput required autoComplete="address-level2" {...fieldOf('city', limits.placeCharsMax)} />
        <TextInput autoComplete="postal-code" {...fieldOf('postcode', limits.postcodeCharsMax)} />
        <TextInput autoComplete="address-level1" {...fieldOf('state', limits.placeCharsMax)} />
        <Select
          label={t(labels.country)}
          required
          searchable
          autoComplete="country-name"
          nothingFoundMessage={t('No matching country')}
          data={(countries.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          value={draft.country || null}
          error={problems.country && t(problems.country)}
          onChange={(country) => change({ country: country ?? '' })}
        />
      </div>
      <Checkbox
        label={t('This is my primary address')}
        checked={draft.primary}
        disabled={address?.primary === true || profile.addresses.length === 0}
        onChange={(event) => change({ primary: event.currentTarget.checked })}
      />
      <SaveProblem error={error} now={profile.addresses.map((each) => addressLines(each).join(', ')).join('; ')} />
      <DialogButtons
        isSaving={isSaving}
        onCancel={tools.onCancel}
        aside={
          address && (
            <Button variant="default" disabled={isSaving} onClick={askToRemove}>
              {t('Remove')}
            </Button>
          )
        }
      />
    </form>
  )
}
