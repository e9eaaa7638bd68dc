import { limits } from '@atrium/contract/limits.ts'
import '@mantine/core/styles/Slider.layer.css'
import { Slider } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { cutOf, moveView, type View, zoomMax } from './crop.ts'
import parts from './profile-dialogs.module.css'

type PictureCropperProps = { picture: ImageBitmap; view: View; onView: (view: View) => void }

/** The distance of one key press, as a share of the visible square. */
const step = 0.05
const zoomStep = 1.1

export function drawCut(canvas: HTMLCanvasElement, picture: ImageBitmap, view: View): void {
  const { left, top, side } = cutOf(picture, view)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.imageSmoothingQuality = 'high'
  // Transparent pictures get a white background: the crop is a JPEG.
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

/** The crop square, moved by dragging, arrow keys, wheel and slider. */
export function PictureCropper({ picture, view, onView }: PictureCropperProps) {
  const { t } = useTranslation()
  const canvas = useRef<HTMLCanvasElement>(null)
  const from = useRef<{ x: number; y: number } | null>(null)
  useEffect(() => {
    if (canvas.current) drawCut(canvas.current, picture, view)
  }, [picture, view])

  const { side } = cutOf(picture, view)
  const move = (by: { x?: number; y?: number; zoom?: number }) => onView(moveView(picture, view, by))
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    if (!from.current) return
    const scale = side / event.currentTarget.clientWidth
    move({ x: (from.current.x - event.clientX) * scale, y: (from.current.y - event.clientY) * scale })
    from.current = { x: event.clientX, y: event.clientY }
  }
  const endDrag = () => {
    from.current = null
  }
  const press = (event: KeyboardEvent) => {
    const by = movesByKey(side)[event.key]
    if (!by) return
    event.preventDefault()
    move(by)
  }
  return (
    <>
      <button
        type="button"
        className={parts.cropper}
        aria-label={t('Crop area. Arrow keys move it, plus and minus zoom.')}
        onKeyDown={press}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
        onWheel={(event) => move({ zoom: event.deltaY < 0 ? zoomStep : 1 / zoomStep })}
      >
        <canvas ref={canvas} width={limits.pictureSidePixels} height={limits.pictureSidePixels} />
      </button>
      <Slider
        thumbLabel={t('Zoom')}
        label={null}
        min={1}
        max={zoomMax}
        step={0.05}
        value={view.zoom}
        onChange={(zoom) => move({ zoom: zoom / view.zoom })}
      />
    </>
  )
}

function movesByKey(side: number): Record<string, { x?: number; y?: number; zoom?: number }> {
  return {
    ArrowLeft: { x: -side * step },
    ArrowRight: { x: side * step },
    ArrowUp: { y: -side * step },
    ArrowDown: { y: side * step },
    '+': { zoom: zoomStep },
    '=': { zoom: zoomStep },
    '-': { zoom: 1 / zoomStep },
  }
}
