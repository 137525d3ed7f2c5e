/** Forms for other features; apart from the index, whose words are among those before the first screen. */
export { AbroadFields, homely } from './AbroadFields.tsx'
