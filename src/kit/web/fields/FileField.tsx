import { Paperclip, X } from 'lucide-react'
import { Button } from '../parts/Button.tsx'
import { FileDrop, fileSize, type FileDropProps } from '../parts/FileDrop.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Num } from '../parts/Num.tsx'
import { useWords } from '../words.tsx'
import { FieldShell, useFieldIds, type FieldProps } from './Field.tsx'

export type FileFieldProps = FieldProps<File | null> & Pick<FileDropProps, 'accept' | 'limit' | 'camera'>

/** One file: dropped, chosen or photographed; then its name and size, and the way to take it off. */
export function FileField({ accept, limit, camera, ...props }: FileFieldProps) {
  const t = useWords()
  const ids = useFieldIds(props)
  return (
    <FieldShell {...props} ids={ids} group>
      {props.value ? (
        <div className="k-in">
          <Icon of={Paperclip} />
          <span className="cut grow" dir="auto">
            {props.value.name}
          </span>
          <span className="hint text-12">
            <Num>{fileSize(props.value.size)}</Num>
          </span>
          <Button
            kind="quiet"
            size="s"
            icon={X}
            label={t('kit.file.remove', { name: props.value.name })}
            onPress={() => props.onChange(null)}
          />
        </div>
      ) : (
        <FileDrop
          accept={accept}
          limit={limit}
          camera={camera}
          label={`${props.label}: ${t('kit.file.choose')}`}
          onFiles={([file]) => file && props.onChange(file)}
        />
      )}
    </FieldShell>
  )
}
