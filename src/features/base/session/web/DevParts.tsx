/** Every part in both directions and both colours; in development only. */
export { PartsGallery as Screen } from '#kit/web/parts/PartsGallery.tsx'
