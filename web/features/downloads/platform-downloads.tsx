import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink, IconMessageExclamation } from '@tabler/icons-react'
import { fileAddress } from '../../api/address.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Download, type PlatformDownloads, safeLink } from './by-platform.ts'
import { systemLabel } from './download-labels.ts'
import parts from './downloads.module.css'

type PlatformDownloadsProps = {
  platform: PlatformDownloads
  /** The server name to choose in the platform's program, if known. */
  server: string | undefined
  /** Null when the member cannot file a complaint. */
  onComplain: ((download: Download) => void) | null
}

/** One platform: the member's accounts on it, and its downloads. */
export function PlatformDownloadsCard({ platform, server, onComplain }: PlatformDownloadsProps) {
  const { t } = useTranslation()
  const columns: Column<Download>[] = [
    { key: 'system', header: t('OS'), onPhone: 'top', width: '20%', render: (row) => <System name={row.platform} /> },
    {
      key: 'name',
      header: t('Name'),
      onPhone: 'top',
      width: '40%',
      render: (row) => <span className={parts.name}>{row.name}</span>,
    },
    { key: 'get', header: t('Link or file'), width: '20%', render: (row) => <Get download={row} /> },
  ]
  if (onComplain)
    columns.push({
      key: 'complaint',
      header: t('Complaint'),
      align: 'right',
      // The button repeats the header, so the card omits the header.
      onPhone: 'plain',
      render: (row) => (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconMessageExclamation size={16} stroke={1.5} aria-hidden />}
          aria-label={t('Complaint about {{name}}', { name: row.name })}
          onClick={() => onComplain(row)}
        >
          {t('Complaint')}
        </Button>
      ),
    })
  return (
    <section data-stack="md" data-shrink aria-labelledby={`platform-${platform._id}`}>
      <div data-group="lg" data-lines="sm" data-align="center">
        <h2 className={parts.title} id={`platform-${platform._id}`}>
          {platform.name}
        </h2>
        <ul className={parts.logins} aria-label={t('Your accounts on {{platform}}', { platform: platform.name })}>
          {platform.accounts.map(({ _id, platform_login, live_account }) => (
            <li key={_id}>
              {platform_login} <Tag label={live_account ? t('Live') : t('Demo')} isStrong={live_account} />
            </li>
          ))}
        </ul>
        {server && (
          <span className={parts.server}>
            {t('Server: {{server}}', { server })}
            <CopyButton value={server} name={t('Server')} />
          </span>
        )}
      </div>
      <DataTable
        label={t('Downloads for {{platform}}', { platform: platform.name })}
        columns={columns}
        rows={platform.downloads}
        rowKey={({ _id }) => _id}
        empty={<EmptyState drawing="soon" title={t('No download links added yet. Contact the manager.')} />}
      />
    </section>
  )
}

function System({ name }: { name: string }) {
  const { label, icon: Icon } = systemLabel(name)
  return (
    <span className={parts.system}>
      <Icon size={20} stroke={1.5} aria-hidden />
      {label}
    </span>
  )
}

/** External links pass no referrer and no window handle to the other site. */
function Get({ download }: { download: Download }) {
  const { t } = useTranslation()
  const { file, name } = download
  const link = safeLink(download.link)
  if (file)
    return (
      <Button
        component="a"
        size="compact-sm"
        variant="default"
        href={fileAddress(file.url)}
        download={file.title ?? name}
        aria-label={t('Download {{name}}', { name })}
        leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />}
      >
        {t('Download')}
      </Button>
    )
  if (!link) return <span>{'\u2013'}</span>
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="default"
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={t('Open {{name}} in a new tab', { name })}
      leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
    >
      {t('Open')}
    </Button>
  )
}
