import { changeOwnName } from '@atrium/contract/desk-staff.ts'
import { limits } from '@atrium/contract/limits.ts'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { notice } from '../../ui/notice.ts'
import { TextInput } from '../../ui/text-input.tsx'
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts'
import { deskUserQuery, useDeskUser } from './desk-session.ts'
import parts from './own-name-form.module.css'

export function OwnNameForm() {
  const { t } = useTranslation()
  const { name } = useDeskUser()
  const queries = useQueryClient()
  const [text, setText] = useState(name)
  const save = useMutation({
    mutationFn: (next: string) => call(changeOwnName, { name: next }),
    onSuccess: async ({ msg }) => {
      await queries.invalidateQueries({ queryKey: deskUserQuery.queryKey })
      notice.done(msg.map((line) => t(line)).join(' '))
    },
  })
  useUnsavedGuard({ isDirty: text.trim() !== name, staysAt: () => false })
  const error = save.error instanceof ApiError ? (save.error.fieldErrors.name?.join(' ') ?? save.error.message) : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!save.isPending) save.mutate(text)
  }
  return (
    <form className={parts.form} onSubmit={submit} noValidate aria-label={t('Your name')}>
      <TextInput
        label={t('Name')}
        description={t('Members see it with your answers, colleagues beside what you decide.')}
        autoComplete="name"
        charsMax={limits.staffNameCharsMax}
        value={text}
        error={error && t(error)}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={save.isPending}>
        {t('Save name')}
      </Button>
    </form>
  )
}
