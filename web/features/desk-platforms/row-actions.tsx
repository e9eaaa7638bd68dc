import { ActionIcon } from '@mantine/core'
import { IconArchive, IconArrowBackUp, IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useTranslation } from '../../ui/text/use-translation.ts'

type RowActionsProps = {
  name: string
  onMove: (step: -1 | 1) => void
  /** The available action: remove (`take`), archive, or restore. */
  ending: 'take' | 'archive' | 'restore'
  onEnd: () => void
}

export function RowActions({ name, onMove, ending, onEnd }: RowActionsProps) {
  const { t } = useTranslation()
  const icon = { size: 16, stroke: 1.5 }
  const labels = {
    take: t('Remove {{name}}', { name }),
    archive: t('Archive {{name}}', { name }),
    restore: t('Restore {{name}}', { name }),
  }
  const Icon = { take: IconX, archive: IconArchive, restore: IconArrowBackUp }[ending]
  return (
    <span data-group="none" data-nowrap>
      <ActionIcon aria-label={t('Move {{name}} up', { name })} onClick={() => onMove(-1)}>
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon aria-label={t('Move {{name}} down', { name })} onClick={() => onMove(1)}>
        <IconArrowDown {...icon} />
      </ActionIcon>
      <ActionIcon aria-label={labels[ending]} onClick={onEnd}>
        <Icon {...icon} />
      </ActionIcon>
    </span>
  )
}
