import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Passkey, useSecurityApi } from './security-api.tsx'
import { useSecurityRefresh } from './use-security.ts'

const labels = { name: 'Passkey name' }

export function PasskeyName({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const refresh = useSecurityRefresh()
  const form = useCallForm({
    start: { name: passkey.name },
    labels,
    check: ({ name }) => (name.trim() === '' ? { name: [texts.passkeyNameMissing] } : {}),
    send: ({ name }) => api.renamePasskey({ _id: passkey._id, name: name.trim() }),
    onDone: async () => {
      await refresh()
      onClose()
    },
  })
  return (
    <CallDialog
      form={form}
      title={t('Rename the passkey')}
      label={t('Rename the passkey')}
      size={440}
      submit={t('Save name')}
      onClose={onClose}
    >
      <TextInput
        label={t(labels.name)}
        data-autofocus
        required
        withAsterisk={false}
        charsMax={limits.passkeyNameCharsMax}
        value={form.values.name}
        error={form.errorOf('name')}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
