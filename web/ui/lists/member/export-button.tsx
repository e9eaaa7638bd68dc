import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { toast } from '../../feedback/toast.ts'
import { useTranslation } from '../../text/use-translation.ts'

type ExportButtonProps = { label: string; save: (() => Promise<void>) | undefined; isEmpty?: boolean }

/** Exports a member's list as CSV, with its filters. */
export function ExportButton({ label, save, isEmpty = false }: ExportButtonProps) {
  const { t } = useTranslation()
  const saving = useMutation({
    mutationFn: async () => save?.(),
    onError: (error) => toast.refused(t(error.message)),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.5} />}
      loading={saving.isPending}
      disabled={isEmpty}
      onClick={() => saving.mutate()}
    >
      {label}
    </Button>
  )
}
