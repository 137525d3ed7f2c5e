/** The door for other features: the files of one of their things. */
export { FilesPanel, type FilesPanelProps } from './FilesPanel.tsx'
/** The small picture of one. */
export { Thumb } from './Thumb.tsx'
