import type { FormDefinition } from '@atrium/contract/forms/definition.ts'
import type { DeskForm } from '@atrium/contract/forms/desk-calls.ts'
import { ActionIcon, Button, Menu, Modal } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconDots } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isConflict } from '../../api/api-error.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { downloadText } from '../../ui/files/download-text.ts'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Tooltip } from '../../ui/tooltip/tooltip.tsx'
import { exportText } from './builder/form-problems.ts'
import { ImportField } from './builder/import-field.tsx'
import type { FormEditor } from './builder/use-form-editor.ts'
import { ChangeList } from './change-list.tsx'
import { differenceOf, isAlike } from './form-difference.ts'
import parts from './forms.module.css'
import { formQuery, useArchiveForm, usePublishForm } from './use-forms.ts'

type FormHeadProps = { form: DeskForm; editor: FormEditor; problems: number; mayManage: boolean }

/** The form's state and the actions on the whole form. */
export function FormHead({ form, editor, problems, mayManage }: FormHeadProps) {
  const { t } = useTranslation()
  const [isSaving, setSaving] = useState(false)
  // A change that was reverted by hand does not count.
  const isChanged = editor.isDirty && !isAlike(editor.definition, form.definition)
  return (
    <header data-group="xl" data-lines="sm" data-align="start" data-justify="between">
      <div>
        <div className={parts.titleLine}>
          <h2 className={parts.title}>
            <bdi>{form.name}</bdi>
          </h2>
          <Tag label={t('Version {{version}}', form)} />
          {form.archived && <Tag label={t('Archived')} />}
          {isChanged && <Tag label={t('Unsaved changes')} isStrong />}
        </div>
        <p className={parts.quiet}>
          <Moment at={form.made_at} /> {form.made_by && <bdi>{form.made_by}</bdi>}
        </p>
      </div>
      <div data-group="sm" data-align="center">
        {mayManage && (
          <>
            <Tooltip label={t('Undo')}>
              <ActionIcon size={30} aria-label={t('Undo')} disabled={!editor.mayUndo} onClick={editor.undo}>
                <IconArrowBackUp size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
            <Tooltip label={t('Redo')}>
              <ActionIcon size={30} aria-label={t('Redo')} disabled={!editor.mayRedo} onClick={editor.redo}>
                <IconArrowForwardUp size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          </>
        )}
        <More form={form} editor={editor} mayManage={mayManage} />
        {mayManage && (
          <Button
            size="xs"
            disabled={!isChanged || problems > 0}
            title={problems > 0 ? t('Fix the problems first.') : isChanged ? '' : t('No changes to save.')}
            onClick={() => setSaving(true)}
          >
            {t('Save as a new version')}
          </Button>
        )}
      </div>
      {isSaving && <PublishDialog form={form} editor={editor} onClose={() => setSaving(false)} />}
    </header>
  )
}

type PartProps = Pick<FormHeadProps, 'form' | 'editor' | 'mayManage'>

function More({ form, editor, mayManage }: PartProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const archive = useArchiveForm(form._id)
  const [isImporting, setImporting] = useState(false)
  const save = () =>
    downloadText(exportText(form.name, editor.definition), `${form.name}.json`, 'application/json;charset=utf-8')
  const putAway = async () => {
    const yes =
      form.archived ||
      (await confirm({
        title: t('Archive {{name}}?', { name: form.name }),
        body: t('It can no longer be filled in. Submissions stay, and it can be restored.'),
        action: t('Archive the form'),
        stay: t('Keep it'),
        isDangerous: true,
      }))
    if (yes)
      archive.mutate(!form.archived, {
        onSuccess: () => toast.done(form.archived ? t('Restored.') : t('Archived.')),
        onError: (error) => toast.refused(t(error.message)),
      })
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon size={30} aria-label={t('More about {{name}}', { name: form.name })}>
            <IconDots size={18} stroke={1.5} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={save}>{t('Export as JSON')}</Menu.Item>
          {mayManage && <Menu.Item onClick={() => setImporting(true)}>{t('Replace with JSON')}</Menu.Item>}
          {mayManage && <Menu.Item onClick={putAway}>{form.archived ? t('Restore') : t('Archive the form')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {isImporting && <ImportDialog editor={editor} onClose={() => setImporting(false)} />}
    </>
  )
}

/** Replaces the whole form with an imported one. Undo restores the old form, and nothing is saved. */
function ImportDialog({ editor, onClose }: { editor: FormEditor; onClose: () => void }) {
  const { t } = useTranslation()
  const [definition, setDefinition] = useState<FormDefinition | null>(null)
  const takeOver = () => {
    if (!definition) return
    editor.editor.change(() => definition)
    editor.editor.select(null)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Import a form')}
      size={560}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div data-stack="lg">
        <ImportField onImported={setDefinition} />
        <p className={parts.quiet}>{t('It replaces everything here. Members see it once it is saved.')}</p>
        <div data-group="sm" data-align="center">
          <Button size="xs" variant="default" data-autofocus onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button size="xs" disabled={!definition} onClick={takeOver}>
            {t('Apply')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** Lists the changes since the last version and explains what happens to members' drafts. */
function PublishDialog({ form, editor, onClose }: Omit<PartProps, 'mayManage'> & { onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const publish = usePublishForm(form._id)
  const [sent] = useState(editor.definition)
  const [basedOn, setBasedOn] = useState(editor.basedOn)
  const publishing = useCallForm({
    ...{ start: {}, labels: {} },
    send: () => publish.mutateAsync({ definition: sent, based_on: basedOn }),
    onDone: ({ form: saved }) => {
      editor.settle({ definition: sent, version: saved.version })
      toast.done(t('Saved as version {{version}}.', saved))
      onClose()
    },
  })
  const isLate = isConflict(publishing.error)
  const goOnFrom = (fresh: DeskForm, whose: 'mine' | 'theirs') => {
    publishing.undo()
    setBasedOn(fresh.version)
    if (whose === 'mine') return
    editor.restart({ definition: fresh.definition as FormDefinition, version: fresh.version })
    onClose()
  }
  const goOn = (whose: 'mine' | 'theirs') =>
    queries.fetchQuery({ ...formQuery(form._id), staleTime: 0 }).then(
      (fresh) => goOnFrom(fresh, whose),
      (error: Error) => toast.refused(t(error.message)),
    )
  return (
    <CallDialog
      form={{ ...publishing, refusal: isLate ? [] : publishing.refusal }}
      title={t('Save {{name}} as a new version?', form)}
      size={560}
      submit={t('Save version')}
      cancel={t('Not now')}
      isQuestion
      onClose={onClose}
    >
      <ChangeList changes={differenceOf(form.definition as FormDefinition, sent)} />
      <p>
        {t(
          'Members see this version from now on. Requests already sent and drafts keep the version that they were started with.',
        )}
      </p>
      {isLate && (
        <Callout meaning="amber">
          {t('This form has been saved since you opened it.')}
          <div data-group="sm" data-align="center">
            <Button size="xs" variant="default" onClick={() => goOn('theirs')}>
              {t('Use the saved version')}
            </Button>
            <Button size="xs" variant="default" onClick={() => goOn('mine')}>
              {t('Keep my version')}
            </Button>
          </div>
        </Callout>
      )}
    </CallDialog>
  )
}
