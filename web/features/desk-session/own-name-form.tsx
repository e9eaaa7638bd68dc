import { limits } from '@atrium/contract/limits.ts'
import { changeOwnName } from '@atrium/contract/staff/desk-calls.ts'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { deskUserQuery, useDeskUser } from './desk-session.ts'
import parts from './own-name-form.module.css'

export function OwnNameForm() {
  const { t } = useTranslation()
  const { name } = useDeskUser()
  const queries = useQueryClient()
  const form = useCallForm({
    start: { name },
    labels: { name: 'Name' },
    send: (sent) => call(changeOwnName, sent),
    startAfter: (sent) => sent,
    afterDone: 'anew',
    onDone: async ({ msg }) => {
      await queries.invalidateQueries({ queryKey: deskUserQuery.queryKey })
      toast.done(msg.map((line) => t(line)).join(' '))
    },
  })
  useUnsavedGuard({ isDirty: form.isDirty, staysAt: (path) => path === '/account' })
  return (
    <form ref={form.element} className={parts.form} onSubmit={form.onSubmit} noValidate aria-label={t('Your name')}>
      <TextInput
        label={t('Name')}
        description={t('Shown to members with your replies, and to colleagues with your decisions.')}
        autoComplete="name"
        charsMax={limits.staffNameCharsMax}
        value={form.values.name}
        error={form.errorOf('name')}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <Button type="submit" loading={form.isSubmitting}>
        {t('Save name')}
      </Button>
    </form>
  )
}
