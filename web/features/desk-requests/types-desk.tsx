import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequestType } from '@atrium/contract/requests/desk-calls.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConfirm } from '../../ui/feedback/confirm.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Card, Section } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { shortcutLabels } from './request-labels.ts'
import parts from './requests.module.css'
import { TypeDialog } from './type-dialog.tsx'
import { requestTypesQuery, useTypeChange } from './use-desk-requests.ts'

/** The request types, in the order shown to members. */
export function RequestTypesDesk({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(requestTypesQuery)
  const [edited, setEdited] = useState<{ type: DeskRequestType | null } | null>(null)
  const offered = data?.filter(({ archived }) => !archived) ?? []
  const archived = data?.filter((type) => type.archived) ?? []
  const add = mayManage && offered.length < limits.requestTypesMax && (
    <Button leftSection={<IconPlus size={18} stroke={1.5} aria-hidden />} onClick={() => setEdited({ type: null })}>
      {t('New request type')}
    </Button>
  )
  return (
    <WorkPage
      help={t('What members can request. A type has a form, leads to a page of the portal, or is sent without a form.')}
      actions={add}
    >
      {!data && error && <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />}
      {!data && !error && <FormSkeleton label={t('Loading')} />}
      {data && (
        <Card>
          {offered.length === 0 && (
            <EmptyState
              drawing="list"
              title={t('No request types yet')}
              text={t('Assign a form to a request type to show it in the portal.')}
              action={add}
            />
          )}
          <ul className={parts.list} data-plain aria-label={t('Request types')}>
            {offered.map((type, at) => (
              <TypeRow
                key={type._id}
                type={type}
                at={at}
                all={offered}
                mayManage={mayManage}
                onEdit={() => setEdited({ type })}
              />
            ))}
          </ul>
        </Card>
      )}
      {archived.length > 0 && (
        <Section title={t('Archived')}>
          <Card>
            <ul className={parts.list} data-plain aria-label={t('Archived request types')}>
              {archived.map((type) => (
                <TypeRow key={type._id} type={type} at={0} all={[]} mayManage={mayManage} onEdit={() => undefined} />
              ))}
            </ul>
          </Card>
        </Section>
      )}
      {edited && <TypeDialog type={edited.type} onClose={() => setEdited(null)} />}
    </WorkPage>
  )
}

type TypeRowProps = {
  type: DeskRequestType
  at: number
  all: DeskRequestType[]
  mayManage: boolean
  onEdit: () => void
}

function TypeRow({ type, at, all, mayManage, onEdit }: TypeRowProps) {
  const { t } = useTranslation()
  return (
    <li className={parts.typeRow}>
      <span className={parts.grow}>
        <span className={parts.strong}>{type.name}</span>
        <span className={parts.quiet}>
          <Leads type={type} />
        </span>
      </span>
      {type.form?.archived && <Tag label={t('Its form is archived')} isStrong />}
      {!type.archived && !type.show_in_portal && <Tag label={t('Not in the portal')} />}
      {!type.archived && type.is_quick_link && <Tag label={t('Quick link')} />}
      {!type.archived && type.changes && <Tag label={t('Changes the member')} />}
      {type.waiting > 0 && (
        <TextLink to="/requests/{-$requestId}" params={{ requestId: undefined }} search={{ type: type._id }} inherit>
          {t('{{count}} waiting', { count: type.waiting })}
        </TextLink>
      )}
      {mayManage && <TypeActions type={type} at={at} all={all} onEdit={onEdit} />}
    </li>
  )
}

function Leads({ type }: { type: DeskRequestType }) {
  const { t } = useTranslation()
  if (type.predefined_type) return t('Leads to: {{page}}', { page: t(shortcutLabels[type.predefined_type]) })
  if (!type.form) return t('No form: sent with one click')
  return (
    <TextLink to="/forms/$formId/{-$part}" params={{ formId: type.form._id, part: undefined }} inherit>
      {type.form.name}
    </TextLink>
  )
}

function TypeActions({ type, at, all, onEdit }: Omit<TypeRowProps, 'mayManage'>) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const change = useTypeChange()
  const onError = (error: Error) => toast.refused(t(error.message))
  const move = (by: -1 | 1) => {
    const seen = all.map(({ _id }) => _id)
    change.mutate({ do: 'order', types: seen.toSpliced(at, 1).toSpliced(at + by, 0, type._id), seen }, { onError })
  }
  const values = { name: type.name }
  const turn = async () => {
    const yes =
      type.archived ||
      (await confirm({
        title: t('Archive {{name}}?', values),
        body: t('Members can no longer send it. Requests stay, and it can be restored.'),
        action: t('Archive'),
        isDangerous: true,
      }))
    if (!yes) return
    const wanted = { do: 'archive' as const, id: type._id, archived: !type.archived }
    change.mutate(wanted, { onError, onSettled: focusHeadingWhenLost })
  }
  return (
    <span data-group="sm" data-nowrap data-align="center">
      {!type.archived && (
        <>
          <ActionIcon
            aria-label={t('Move {{name}} up', values)}
            disabled={at === 0 || change.isPending}
            onClick={() => move(-1)}
          >
            <IconArrowUp size={18} stroke={1.5} />
          </ActionIcon>
          <ActionIcon
            aria-label={t('Move {{name}} down', values)}
            disabled={at === all.length - 1 || change.isPending}
            onClick={() => move(1)}
          >
            <IconArrowDown size={18} stroke={1.5} />
          </ActionIcon>
          <Button size="compact-xs" variant="default" aria-label={t('Edit {{name}}', values)} onClick={onEdit}>
            {t('Edit')}
          </Button>
        </>
      )}
      <Button
        size="compact-xs"
        variant="default"
        disabled={change.isPending}
        aria-label={type.archived ? t('Restore {{name}}', values) : t('Archive {{name}}', values)}
        onClick={turn}
      >
        {type.archived ? t('Restore') : t('Archive')}
      </Button>
    </span>
  )
}
