import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './banking.module.css'

type RowActionsProps = { name: string; onEdit: () => void; onDelete: () => void }

export function RowActions({ name, onEdit, onDelete }: RowActionsProps) {
  const { t } = useTranslation()
  return (
    <span className={parts.actions}>
      <ActionIcon aria-label={t('Edit {{name}}', { name })} onClick={onEdit}>
        <IconPencil size={18} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label={t('Delete {{name}}', { name })} onClick={onDelete}>
        <IconTrash size={18} stroke={1.5} />
      </ActionIcon>
    </span>
  )
}

export const dash = '\u2013'
