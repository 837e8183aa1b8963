/** `ports`: previews of the container's listening ports, each on its own hostname. `url` signs in its first user, once. */
import { z } from "zod";

export const portBody = z.strictObject({ port: z.int().min(1).max(65_535) });
export type PortBody = z.infer<typeof portBody>;
export const port = z.object({ port: z.number(), url: z.string() });
export type Port = z.infer<typeof port>;
export const portsResponse = z.object({ ports: z.array(port) });
export type PortsResponse = z.infer<typeof portsResponse>;
