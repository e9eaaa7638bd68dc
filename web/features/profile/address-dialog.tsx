import { limits } from '@atrium/contract/limits.ts'
import { saveAddresses } from '@atrium/contract/members/calls.ts'
import { Button, Checkbox } from '@mantine/core'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useCountries } from '../../forms/use-countries.ts'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { type DialogTools, FormDialog } from '../../ui/forms/form-dialog.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import {
  type AddressField,
  addressLabels,
  checkAddress,
  draftOf,
  withAddress,
  withoutAddress,
} from './address-draft.ts'
import { DialogButtons, SaveProblem } from './dialog-parts.tsx'
import { addressLines } from './profile-labels.ts'
import type { Profile } from './use-profile.ts'
import { useOpenedProfile, useSaveProfile } from './use-save-profile.ts'

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

function useAddress(profile: Profile, address: Address | null, { onSaved, onDirty }: DialogTools) {
  const { base, onRefused } = useOpenedProfile(profile)
  const { send } = useSaveProfile(saveAddresses)
  const sendList = (listOf: (addresses: Address[]) => ReturnType<typeof withAddress>) => {
    const { profile_version: version, addresses } = base()
    return send({ version, addresses: listOf(addresses) })
  }
  const form = useCallForm({
    start: draftOf(address, profile.addresses.length === 0),
    labels: addressLabels,
    check: checkAddress,
    send: (draft) => sendList((addresses) => withAddress(addresses, draft)),
    onDone: onSaved,
    onRefused,
    onDirty,
  })
  const removal = useCallForm({
    start: {},
    labels: {},
    send: () => sendList((addresses) => withoutAddress(addresses, address?._id)),
    onDone: onSaved,
    onRefused,
  })
  const isSaving = form.isSubmitting || removal.isSubmitting
  return { ...form, problem: form.error ?? removal.error, isSaving, remove: () => removal.submit() }
}

type AddressFormProps = { profile: Profile; address: Address | null; tools: DialogTools }

function AddressForm({ profile, address, tools }: AddressFormProps) {
  const { t } = useTranslation()
  const form = useAddress(profile, address, tools)
  const { values: draft, isSaving, isDirty, change, remove } = form
  const countries = useCountries(form.errorOf('country'))
  const fieldOf = (name: Exclude<AddressField, 'country'>, charsMax: number) => ({
    label: t(addressLabels[name]),
    value: draft[name],
    charsMax: charsMax,
    error: form.errorOf(name),
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
    <form ref={form.element} data-stack="lg" onSubmit={form.onSubmit} noValidate>
      <UnsentInput form={`address ${address?._id ?? ''}`} values={draft} isDirty={isDirty} onRestore={change} />
      <TextInput
        required
        data-autofocus
        autoComplete="address-line1"
        {...fieldOf('address_line_1', limits.addressLineCharsMax)}
      />
      <TextInput autoComplete="address-line2" {...fieldOf('address_line_2', limits.addressLineCharsMax)} />
      <div data-columns="fields">
        <TextInput required autoComplete="address-level2" {...fieldOf('city', limits.placeCharsMax)} />
        <TextInput autoComplete="postal-code" {...fieldOf('postcode', limits.postcodeCharsMax)} />
        <TextInput autoComplete="address-level1" {...fieldOf('state', limits.placeCharsMax)} />
        <Select
          label={t(addressLabels.country)}
          required
          searchable
          autoComplete="country-name"
          {...countries}
          value={draft.country || null}
          onChange={(country) => change({ country: country ?? '' })}
        />
      </div>
      <Checkbox
        label={t('This is my primary address')}
        checked={draft.primary}
        disabled={address?.primary === true || profile.addresses.length === 0}
        onChange={(event) => change({ primary: event.currentTarget.checked })}
      />
      <SaveProblem
        error={form.problem}
        now={profile.addresses.map((each) => addressLines(each).join(', ')).join('; ')}
      />
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
