/** German, French and Spanish words for what tools do and for what they do it to, in the form of the other languages. */
export const toolsInOtherLanguages = `
: mes mon ma mis mi tus ses son sa nos notre nuestro nuestra mein meine meinen meiner unser unsere unserem ihr dans sur pour avec par aux cette ces cet este esta estos estas ese esos con por para sin sobre en del al lo se me ins beim wir ihr sie er es man als ob dass wie nach bei aus dann bitte gerade mas
today : heute aujourd_hui hoy
export download : exportier* exporte exporter exporta* 
import : importier* importe importer importa*
archive : archivier* archiver archivar archiva
format : formatier* formater formatear
copy duplicate : duplizier* dupliqu* duplica*
template : vorlage* modele modeles plantilla*
publish : veroffentliche* publie* publier publica*
unpublish : offline_nehmen depublie* despublica*
deploy : bereitstell* deploie* deployer despliega* desplegar
install : installier* installe* instala*
uninstall : deinstallier* desinstall* desinstala*
update upgrade : aktualisier* mise_a_jour mettre_a_jour met_a_jour actualiz*
configure set : konfigurier* configure* einstell* configur* parametr*
enable activate : aktivier* einschalt* active* activa* habilita*
disable deactivate : deaktivier* desactive* desactiva* deshabilita*
schedule : einplan* terminier* planifie* programm* program*
cancel : stornier* abblas* annul* anula* cancela*
trigger run : ausloss* auslos* declench* dispara* desencaden*
execute run : execut* ejecut* durchfuhr* laufen
restart : neu_starten starte_neu redemarr* relanc* reinici*
retry : noch_einmal nochmal reessay* reintent* otra_vez de_nuevo encore_une_fois erneut
resend : erneut_senden renvoye* reenvi*
preview : vorschau* apercu* vista_previa previsualiz*
validate check : validier* uberpruf* valid* comprob* comprueb* kontrollier*
compare : vergleich* compare* compara*
merge : zusammenfug* zusammenleg* verbind* fusionn* combin* unir une reunir
split divide : aufteil* teil_auf teilen trenn* divis* separe* partage_en divide* separa* reparte*
convert : umwandel* umwandle* wandle wandel konvertier* converti* convierte* convertir
compress : komprimier* verkleiner* compresse* reduis reduire comprim* reduce*
extract : extrahier* herausziehen extrai* extraer extrae*
trim cut : schneid* abschneid* zuschneid* kurz* coup* decoup* rogn* cort* recort*
crop : zuschneiden rogne* recorta*
rotate : dreh* rotier* tourne* pivot* gira* rota*
resize size : vergrosser* groesse redimension* agrand* amplia*
move : verschieb* deplac* bouge* muev* despla*
draw : zeichne* dessin* dibuj* trace*
circle : kreis* cercle* circul*
rectangle : rechteck* rectangle* rectangul*
cylinder : zylinder* cylindre* cilindr*
line : linie* ligne_droite linea*
round fillet edge : abrund* rund* arrondi* redonde*
edge : kante* arete* bord* arista*
face surface : flache* face* surface* cara* superficie*
corner : ecke* coin* esquina*
hole : loch* locher trou* agujero*
distance measure : abstand* abstande ecart* distanci*
measure : messe* miss mesure* mide* medir
angle : winkel* angle* angulo*
axis : achse* axe* eje*
undo step : ruckgang* letzten_schritt annule_la_derniere deshaz* deshac*
redo : wiederhol* refaire rehac*
parameter : parametres parametros parameter*
design : entwurf* conception* diseno*
component : bauteil* komponent* composant* componente*
layer : ebene* calque* couche* capa*
shape : form formen forme* forma*
color : farbe* couleur* color*
transparent : durchsichtig* transpar*
background : hintergrund* fond arriere_plan fondo*
font text : schrift* police* fuente* letra*
heading title : uberschrift* titre* titulo* titel*
paragraph : absatz* absatze paragraphe* parrafo*
spreadsheet sheet : tabelle* kalkulation* feuille_de_calcul tableur* hoja_de_calculo hoja
table : tabelle tabellen tableau* tabla*
cell : zelle* cellule* celda*
value : wert* valeur* valor*
row : zeile* ligne* fila*
column : spalte* colonne* columna*
presentation slides : prasentation* presentation* presentacion* folien
slide : folie* diapo* diapositiva*
document doc : dokument* document* documento*
letter document : brief* lettre* carta*
contract file : vertrag* mietvertrag* contrat* contrato* seguro versicherung* assurance*
form : formular* formulaire* formulario*
question : frage* question* pregunta*
answer response : antwort* reponse* respuesta*
comment : kommentar* commentaire* comentario*
label tag : etikett* schlagwort* etiquet* libelle*
label : label* etiqueta*
category : kategorie* categori* rubrique*
group : gruppe* groupe* grupo*
list : liste* lista* aufzahl*
details : einzelheit* detail* detalle*
status : zustand* statut* estado*
history log : verlauf* geschichte historique* historial*
activity : aktivitat* activite* actividad*
notification : benachrichtigung* meldung* notification* notificacion*
message : nachricht* message* mensaje*
conversation thread : gesprach* unterhaltung* fil_de conversation* conversacion* hilo*
contact : kontakt* contact* contacto*
address : adresse* anschrift* direccion*
user : benutzer* nutzer* utilisateur* usuario*
member : mitglied* membre* miembro*
team : team* equipe* equipo*
invite add member : einlad* lade_ein invit*
permission access : berechtig* zugriff* zugang* droit* acces* permiso*
share access permission : teile teil_mit freigeb* gib_frei partage* comparte* compartir
link : link* verknupf* lien* enlace*
password : passwort* kennwort* mot_de_passe contrasena*
key token : schlussel* cle clef clave* jeton*
account : konto* compte* cuenta*
customer : kunde* kundin client* cliente*
company : firma* unternehmen* societe* entreprise* empresa*
product : produkt* produit* producto*
price : preis* prix precio* tarif*
discount coupon : rabatt* gutschein* remise* rabais* descuento* cupon*
invoice : rechnung* facture* factura*
subscription : abo abonnement* abonnement* suscripcion*
payment : zahlung* bezahlung* paiement* pago*
recurring : wiederkehrend* regelmassig* recurren* periodiqu* periodic*
transaction : buchung* transaktion* transaction* transaccion* operation*
transaction expense : ausgabe* ausgegeben gasto* gastamos gaste depense* depens*
budget : haushalt* budget* presupuesto*
balance : kontostand* saldo* solde* guthaben*
net worth balance history : vermogen* patrimoine* patrimonio*
refund : erstatt* rembours* reembols*
report : bericht* auswertung* rapport* informe* reporte*
statistics analytics report : statistik* statisti* estadistic* kennzahl*
chart : diagramm* grafik* graphique* grafic*
diagram : diagramm schema diagrama*
map : landkarte* carte mapa* karte
mind map : carte_mentale gedankenkarte* mapa_mental
cause effect fishbone : ursache* cause* causa*
organization : organisation* organizacion*
dashboard : ubersicht* tableau_de_bord panel paneles tablero*
collection : sammlung* collection* coleccion*
query : abfrage* requete* consulta*
database : datenbank* base_de_donnees base_de_datos
schema : schema* esquema*
backup : sicherung* sicherungskopie* backup* sauvegarde* copia_de_seguridad respaldo*
restore : wiederherstell* zuruckspiel* restaur* recuper*
server : server* serveur* servidor*
machine : maschine* rechner* machine* maquina*
cluster : cluster* grappe*
volume storage : speicher* stockage* almacenamiento*
network : netz netzwerk* reseau* red
certificate : zertifikat* certificat* certificado*
domain : domain* domaine* dominio*
environment : umgebung* environnement* entorno*
variable : variable* variabl*
version : version* fassung*
branch : zweig* branch* branche* rama*
repository : depot* repositor*
code : code* quelltext* codigo*
test : test* getest* pruf* essai* prueba*
test case : testfall* cas_de_test casos_de_prueba caso_de_prueba
requirement : anforderung* exigence* requisito*
coverage : abdeckung* couverture* cobertura*
bug defect issue : fehler* defaut* bogue* fallo*
issue ticket : ticket* vorgang* demande* incidencia*
task : aufgabe* tache* tarea*
task list : aufgabenliste* liste_de_taches lista_de_tareas
project : projekt* projet* proyecto*
sprint iteration : sprint* iteration* iteracion*
milestone : meilenstein* jalon* hito*
priority : prioritat* priorite* prioridad*
comment review : bewertung* avis resena*
label marker : markierung* marke marqueur* marcador*
device : gerat* gerate apparei* dispositiv* handy* telefon telefone smartphone* telephone movil moviles
available connected device : angeschlossen* verbunden* connecte* conectad*
phone mobile : handy* portable
simulator emulator : simulator* emulator* simulateur* emulateur* simulador* emulador*
orientation : ausricht* querformat* hochformat* paysage orientaci* apaisad*
screen : bildschirm* ecran* pantalla*
screenshot : bildschirmfoto* capture_d_ecran captura_de_pantalla
app application : app apps anwendung* application* aplicacion*
crash : absturz* absturze abgesturzt plant* bloqueo*
button : taste* knopf* bouton* boton*
open url : ouvre* offne* abre*
light : licht* lampe* lumiere* luz luces
turn on light : anmach* einschalt* allum* enciend* encend*
turn off light : ausmach* ausschalt* etein* apag*
cover blinds : rolllad* rollad* jalousie* volet* store* persiana*
down close : herunter runter hinunter
bulk multiple all : gleichzeitig* en_meme_temps al_mismo_tiempo simultan*
front door : tur ture turen tor porte* puerta*
garage front door : garagentor*
temperature heating climate : heiz* temperatur* chauff* calefacc*
automation : automatisier* automatisation* automatiza*
sensor : sensor* fuhler* capteur*
garden : garten* jardin*
kitchen : kuche* cuisine* cocina*
living room : wohnzimmer* salon*
movie film video : film filme films pelicula* peli
episode calendar upcoming : folge folgen episode* episodio* capitulo*
series show : serie* series*
quality profile : qualitatsprofil* profil_de_qualite perfil_de_calidad
quality : qualitat* qualite* calidad*
library : bibliothek* mediathek* bibliothe* biblioteca*
song track music : lied* lieder titel chanson* morceau* cancion*
track : spur* piste* pista*
stereo : stereo*
recording audio : aufnahme* enregistrement* grabacion*
record save write : aufnehmen aufzeichn* enregistre* graba*
sound audio : ton klang* son audio* sonido*
volume amplify gain louder : laut* lauter plus_fort mas_alto volumen
noise reduction : rauschen* gerausch* bruit* ruido*
silence : stille* silence* silencio*
fade out : ausblend* fondu* desvanec* fundido*
video : video* videos film*
subtitles : untertitel* sous_titre* subtitul*
frame image : einzelbild* image* fotograma*
route directions : weg komme route* itineraire* chemin* ruta* camino* llego
travel duration distance : dauert* tarda duree duracion
stop waypoint : halt stopp* arret* parada*
plan route : itineraire* rundreise*
gas station places along route : tankstelle* station_service gasolinera*
pharmacy places nearby : apotheke* pharmacie* farmacia*
nearby places : nahe umgebung_von pres_de proximite cerca*
place details opening hours : offnungszeit* horaire* heures_d_ouverture horario*
time zone : uhrzeit* heure* hora*
weather : wetter* meteo* quel_temps tiempo_hace tiempo_hara
coordinates geocode : koordinat* coordonn* coordenad*
airport flight : flughafen* aeroport* aeropuerto*
flight : flug* vol vols vuelo*
train transit : zug* bahn* train* tren*
vacation out of office : urlaub* ferien conges vacaciones
decline : lehne ablehn* refus* decline* rechaz*
appointment event calendar : termin* rendez_vous cita* evento*
calendar : kalender* calendrier* calendario*
reminder : erinnerung* erinner* rappel* recordatorio*
draft : entwurf entwurfe brouillon* borrador*
send : verschick* versend* schick* envoi* envoy* envi*
email : mail mails e_mail courriel* correo*
mailbox folder : postfach* boite* buzon*
unread : ungelesen* non_lu* no_leid*
read mark : gelesen lu lue leid*
often frequent : haufig* oft souvent menudo frecuen*
write contact : schreibe_am escribo
attachment : anhang* anhange piece_jointe adjunto*
upload : hochlad* lade_hoch televers* subir sube suba
download : herunterlad* lade_herunter telecharg* descarg* descarga*
screenshot feedback : ruckmeldung* retour* comentarios
feedback : ruckmeldung*
language translation localization : sprache* ubersetz* langue* traduc* idioma*
app analytics downloads : descargas telechargements downloads
remove from list : nimm_herunter nimm_von retire_de quita_de
remove : nimm wegnehm* retire* quita*
watch monitor : beobacht* uberwach* surveill* vigil*
stop watching monitor delete : deja_de arrete_de hor_auf
pause : pausier* anhalt* pause* pausa*
name rename : umbenenn* renomm* renombr* cambia_el_nombre
theme : thema design_wechsel theme* tema*
insert add import : einfug* inser* inserta*
page : seite* page* pagina*
website : webseite* website* site sitio*
article page : artikel* article* articulo*
image : bild* bilder image* imagen*
photo image : foto* photo*
file : datei* fichier* archivo* fichero*
folder : ordner* dossier* carpeta*
space : raum* espace* espacio*
workspace : arbeitsbereich* espace_de_travail espacio_de_trabajo
chat message : chat* discussion*
week : woche* semaine* semana*
month : monat* mois mes
evening night : abend* nacht* soir* nuit* noche*
replace : ersetz* remplac* reemplaz* sustitu*
everywhere all : uberall partout
unfold flat : abwickl* depli* despleg*
fill : ausfull* remplir rellen*
best : beste* bester meilleur* mejor*
profile : profil* perfil*
setting : einstellung* reglage* ajuste* configuracion*
build settings : build_einstellungen
pipeline : pipeline* chaine*
job : job jobs auftrag* travail* trabajo*
failed : fehlgeschlagen* gescheitert* echoue* fallad* fallid*
vehicle car : auto* fahrzeug* voiture* coche*
order : bestellung* commande* pedido*
cart : warenkorb* panier* carrito*
shipment : sendung* lieferung* envoi_de livraison* envio_de
candidate : bewerber* kandidat* candidat*
employee : mitarbeit* employe* emplead*
course : kurs* cours* curso*
grade : note_von noten nota*
student : schuler* student* eleve* etudiant* alumn* estudiant*
doctor appointment : arzt* medecin* medico*
patient : patient* paciente*
recipe : rezept* recette* receta*
ingredient : zutat* ingredien*
stock price : aktie* aktien action_de bourse accion* bolsa
exchange rate : wechselkurs* taux_de_change tipo_de_cambio
translate : ubersetz* tradui* traduc*
definition : bedeutung* definition* significad*
law court case : gericht* urteil* tribunal* sentencia*
tax : steuer* impot* impuesto*
weight : gewicht* poids peso*
sleep : schlaf* sommeil* sueno*
run workout activity : training* lauf laufe course entrenamiento*
energy : strom* energie* electricite* energia*
camera : kamera* camera* camara*
`;
