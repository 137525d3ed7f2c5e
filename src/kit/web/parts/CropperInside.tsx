import { useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useObjectUrl } from '../calls/useObjectUrl.ts'
import { useStateFor } from '../hooks/useStateFor.ts'
import { useWords } from '../words/words.tsx'
import { Button } from './Button.tsx'
import { cutPicture, smallestSide } from './cutPicture.ts'
import { Dialog } from './Dialog.tsx'
import { Note } from './Banner.tsx'
import type { LogoCropperProps } from './LogoCropper.tsx'
import { Segmented } from './Views.tsx'

const shapes = { '1': 1, '2': 2, '3': 3 } as const

/** The dialog behind LogoCropper. */
export default function CropperInside({
  file,
  onClose,
  onDone,
  onAnother,
}: LogoCropperProps & { file: File }) {
  const t = useWords()
  const url = useObjectUrl(file)
  const [shape, setShape] = useState<keyof typeof shapes>('1')
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area>()
  const [problem, setProblem] = useStateFor<string | undefined>(file, undefined)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    if (!url || !area) return
    setBusy(true)
    try {
      await onDone(await cutPicture(url, area))
    } catch {
      setProblem(t('kit.errors.picture'))
    }
    setBusy(false)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={t('kit.crop.title')}
      actions={
        <>
          {onAnother && (
            <Button kind="quiet" onPress={onAnother}>
              {t('kit.crop.another')}
            </Button>
          )}
          <Button
            kind="primary"
            busy={busy}
            isDisabled={!area || Boolean(problem)}
            onPress={() => void save()}
          >
            {t('kit.crop.save')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {problem && <Note tone="late">{problem}</Note>}
        <div className="k-crop" dir="ltr">
          {url && (
            <Cropper
              image={url}
              crop={crop}
              zoom={zoom}
              aspect={shapes[shape]}
              minZoom={1}
              maxZoom={8}
              objectFit="contain"
              showGrid={false}
              disableAutomaticStylesInjection
              onCropChange={setCrop}
              onZoomChange={setZoom}
              onCropComplete={(_, pixels) => setArea(pixels)}
              onMediaLoaded={({ naturalWidth, naturalHeight }) => {
                if (Math.min(naturalWidth, naturalHeight) < smallestSide)
                  setProblem(t('kit.errors.pictureSmall', { min: smallestSide }))
              }}
              mediaProps={{ onError: () => setProblem(t('kit.errors.picture')) }}
              cropperProps={{ role: 'group', 'aria-label': t('kit.crop.area') }}
            />
          )}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <label className="flex min-w-48 flex-1 items-center gap-3 text-13 text-ink-2">
            {t('kit.crop.zoom')}
            <input
              type="range"
              className="flex-1 accent-accent"
              min={1}
              max={8}
              step={0.05}
              value={zoom}
              onChange={(event) => setZoom(Number(event.target.value))}
            />
          </label>
          <Segmented
            label={t('kit.crop.title')}
            value={shape}
            onChange={setShape}
            options={[
              { key: '1', label: '1:1' },
              { key: '2', label: '2:1' },
              { key: '3', label: '3:1' },
            ]}
          />
        </div>
      </div>
    </Dialog>
  )
}
