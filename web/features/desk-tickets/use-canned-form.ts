import type { CannedReply } from '@atrium/contract/tickets/desk-calls.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { exitQuestion } from '../../ui/forms/exit-question.ts'
import type { DialogTools } from '../../ui/forms/form-dialog.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useCannedChange } from './use-desk-tickets.ts'

type Canned = {
  edited: CannedReply | 'new'
  tools: Pick<DialogTools, 'confirm' | 'onDirty'>
  /** Returns to the list, saved or not. */
  onDone: () => void
}

/** The form of one canned reply. `cancel` asks before it drops what was written. */
export function useCannedForm({ edited, tools, onDone }: Canned) {
  const { t } = useTranslation()
  const change = useCannedChange()
  const { name, content } = edited === 'new' ? { name: '', content: '' } : edited
  const form = useCallForm({
    start: { name, content },
    labels: { name: 'Name', content: 'Reply' },
    send: (values) =>
      change.mutateAsync(
        edited === 'new'
          ? { do: 'add', ...values }
          : { do: 'change', id: edited._id, seen: edited.revision, ...values },
      ),
    onDone,
    onDirty: tools.onDirty,
  })
  const cancel = async () => {
    if (!form.isDirty || (await tools.confirm(exitQuestion(t)))) onDone()
  }
  return { ...form, cancel }
}

/** Archives a reply after a question, because nothing restores it. */
export function useArchiving({ confirm }: Pick<DialogTools, 'confirm'>) {
  const { t } = useTranslation()
  const change = useCannedChange()
  const archive = async ({ _id: id, name }: CannedReply) => {
    const yes = await confirm({
      title: t('Archive {{name}}?', { name }),
      body: t('No colleague can choose it any more, and it cannot be restored. Replies already sent stay.'),
      action: t('Archive'),
      isDangerous: true,
    })
    if (yes) change.mutate({ do: 'archive', id }, { onError: (error) => toast.refused(t(error.message)) })
  }
  return { archive, isPending: change.isPending }
}
