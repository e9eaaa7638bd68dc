import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { toast } from '../../ui/feedback/toast.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useAskForDay } from './use-reconciliation.ts'

/** Reconciles a day with the platforms again. It changes no balance. */
export function CompareButton({ day, label }: { day: string; label: string }) {
  const { t } = useTranslation()
  const ask = useAskForDay()
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />}
      loading={ask.isPending}
      onClick={() => ask.mutate(day, { onError: (error) => toast.refused(t(error.message)) })}
    >
      {label}
    </Button>
  )
}
