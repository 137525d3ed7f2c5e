import { Camera, FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#kit/web/parts/Button.tsx'
import { FileDrop, fileSize } from '#kit/web/parts/FileDrop.tsx'
import { useMedia } from '#kit/web/parts/useMedia.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { maxFileBytes } from '../endpoints.ts'
import { accepted } from './kinds.ts'

/** Where files are dropped; under a finger two buttons instead: photograph, choose. */
export function PickFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  const t = useWords()
  const touch = useMedia('(pointer: coarse)')
  const camera = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const take = (event: React.ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])]
    event.target.value = ''
    if (files.length) onFiles(files)
  }
  if (!touch)
    return (
      <FileDrop multiple onFiles={onFiles} accept={accepted}>
        {t('files.drop')}{' '}
        <span className="hint">{t('kit.file.limit', { limit: fileSize(maxFileBytes) })}</span>
      </FileDrop>
    )
  return (
    <div className="fi-pick">
      <Button icon={Camera} wide onPress={() => camera.current?.click()}>
        {t('files.photograph')}
      </Button>
      <Button icon={FileUp} wide onPress={() => chooser.current?.click()}>
        {t('files.choose')}
      </Button>
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        onChange={take}
        aria-label={t('files.photograph')}
      />
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={accepted}
        onChange={take}
        aria-label={t('files.choose')}
      />
    </div>
  )
}
