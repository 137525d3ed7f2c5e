import { Paperclip, X } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Button } from '../parts/Button.tsx'
import { FileDrop, fileSize, type FileDropProps } from '../parts/FileDrop.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Num } from '../parts/Num.tsx'
import { useWords } from '../words/words.tsx'
import { FieldShell, useFieldIds, type FieldProps } from './Field.tsx'

export type FileFieldProps = FieldProps<File | null> & Pick<FileDropProps, 'accept' | 'limit' | 'camera'>

/** One file: dropped, chosen or photographed; then its name and size, and the way to take it off. */
export function FileField({ accept, limit, camera, ...props }: FileFieldProps) {
  const t = useWords()
  const ids = useFieldIds(props)
  const box = useRef<HTMLDivElement>(null)
  const goesOn = useRef(false)
  const change = (file: File | null) => {
    goesOn.current = box.current?.contains(document.activeElement) ?? false
    props.onChange(file)
  }
  // The place for a file goes with its choice, and the file with its button: the person who works by keys stays in
  // this field, where no second press takes it off.
  useLayoutEffect(() => {
    if (goesOn.current) box.current?.querySelector<HTMLElement>(props.value ? '.k-in' : '.k-drop')?.focus()
    goesOn.current = false
  }, [props.value])
  return (
    <FieldShell {...props} ids={ids} group>
      <div ref={box}>
        {props.value ? (
          <div
            className="k-in"
            role="group"
            aria-label={props.value.name}
            aria-describedby={ids.control['aria-describedby']}
            tabIndex={-1}
            data-kept=""
          >
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
              onPress={() => change(null)}
            />
          </div>
        ) : (
          <FileDrop
            accept={accept}
            limit={limit}
            camera={camera}
            autoFocus={props.autoFocus}
            label={`${props.label}: ${t('kit.file.choose')}`}
            onFiles={([file]) => file && change(file)}
          />
        )}
      </div>
    </FieldShell>
  )
}
