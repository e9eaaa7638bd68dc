import { useComputedColorScheme } from '@mantine/core'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../text/use-translation.ts'
import { type FromFrame, type Look, pdfDataPath, sheetKeys, type ToFrame, type ViewerStart } from './pdf-labels.ts'

/** A large scan takes seconds on a slow machine. After this time, opening counts as failed. */
const openingMs = 60_000

type Seen = { state: 'opening' | 'broken' | 'locked' } | { state: 'opened'; page: number; pages: number }
type Frame = { seen: Seen; sendStart: (window: Window) => void; go: (page: number) => void }

/**
 * Sends the bytes to the frame once it is ready, and receives its progress. A file may have compromised the frame: its
 * messages are untrusted, and can only request fonts and report the five shortcuts.
 */
export function usePdfFrame(file: Blob, { scale, turns }: Look): Frame {
  const { t } = useTranslation()
  const isDark = useComputedColorScheme('light') === 'dark'
  const [port, setPort] = useState<MessagePort | null>(null)
  const [seen, setSeen] = useState<Seen>({ state: 'opening' })
  const latest = useRef({ look: { scale, turns }, isDark })
  const send = useCallback((message: ToFrame) => port?.postMessage(message), [port])
  useEffect(() => {
    latest.current = { look: { scale, turns }, isDark }
    send({ kind: 'look', ...latest.current })
  }, [send, scale, turns, isDark])
  useEffect(() => () => port?.close(), [port])
  useEffect(() => {
    const timer = setTimeout(
      () => setSeen((before) => (before.state === 'opening' ? { state: 'broken' } : before)),
      openingMs,
    )
    return () => clearTimeout(timer)
  }, [])

  const sendStart = async (frame: Window) => {
    const bytes = await file.arrayBuffer()
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }: MessageEvent<unknown>) => onMessage(data, port1, setSeen)
    const labels = {
      pageLabel: t('Page {{page}} of {{pages}}', { page: '{page}', pages: '{pages}' }),
      brokenLabel: t('This page cannot be shown.'),
    }
    const start: ViewerStart = { kind: 'show', bytes, ...latest.current, ...labels }
    // The sandboxed frame has no origin to name. Our CSP allows only our own pages in it.
    frame.postMessage(start, '*', [port2, bytes])
    setPort(port1)
  }
  return { seen, sendStart, go: (page) => send({ kind: 'go', page }) }
}

function onMessage(data: unknown, port: MessagePort, setSeen: (change: (before: Seen) => Seen) => void): void {
  const message = data as FromFrame
  switch (message?.kind) {
    case 'opened': {
      const { pages } = message
      if (isPage(pages)) setSeen(() => ({ state: 'opened', page: 1, pages }))
      return
    }
    case 'at': {
      const { page } = message
      setSeen((before) => (before.state === 'opened' && isPage(page) ? { ...before, page } : before))
      return
    }
    case 'failed':
      setSeen(() => ({ state: message.why === 'locked' ? 'locked' : 'broken' }))
      return
    case 'pressed':
      if (sheetKeys.includes(message.key))
        document.dispatchEvent(new KeyboardEvent('keydown', { key: message.key, bubbles: true }))
      return
    case 'wanted':
      bring(message, port)
  }
}

const isPage = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Only from the two folders beside our build, and only plain file names without a path. */
async function bring({ folder, filename }: { folder: string; filename: string }, port: MessagePort): Promise<void> {
  const isOurs = /^(cmaps|standard_fonts)$/.test(folder) && /^[\w-]+\.(bcmap|pfb|ttf)$/.test(filename)
  const bytes = isOurs ? await readData(`${pdfDataPath}${folder}/${filename}`) : null
  port.postMessage({ kind: 'data', folder, filename, bytes } satisfies ToFrame)
}

async function readData(address: string): Promise<ArrayBuffer | null> {
  try {
    const response = await fetch(address, { credentials: 'omit' })
    return response.ok ? await response.arrayBuffer() : null
  } catch {
    return null // The page is rendered without that font; the file can be downloaded.
  }
}
