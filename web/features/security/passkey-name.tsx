import { limits } from '@atrium/contract/limits.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Group, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Passkey, useSecurityApi } from './security-api.tsx'
import { useSecurityRefresh } from './use-security.ts'

type PasskeyNameProps = { passkey: Passkey; isOpen: boolean; onClose: () => void }

export function PasskeyName({ passkey, isOpen, onClose }: PasskeyNameProps) {
  const { t } = useTranslation()
  const api = useSecurityApi()
  const refresh = useSecurityRefresh()
  const [name, setName] = useState(passkey.name)
  const saving = useMutation({
    mutationFn: (chosen: string) => api.renamePasskey({ _id: passkey._id, name: chosen }),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') saving.mutate(name.trim())
  }
  const problem = name.trim() === '' ? texts.passkeyNameMissing : saving.error?.message
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('Rename the passkey')}
      size={440}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={submit} noValidate aria-label={t('Rename the passkey')}>
        <TextInput
          label={t('Name of the passkey')}
          data-autofocus
          required
          withAsterisk={false}
          charsMax={limits.passkeyNameCharsMax}
          value={name}
          error={problem && t(problem)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="sm" mt="xl">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t('Save the name')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
